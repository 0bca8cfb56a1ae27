package dev.berth.ledger;

import dev.berth.ledger.ConstraintException.Rule;
import dev.berth.ledger.LedgerException.Code;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Optional;
import java.util.Set;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** Turns what PostgreSQL reports into what the caller can act on. */
final class PostgresErrors {
  private static final Set<String> CONNECTION_LOST =
      Set.of("57P01", "57P02", "57P03", "57P05", "25P03", "25P04");

  private final PostgresAddress address;

  PostgresErrors(PostgresAddress address) {
    this.address = address;
  }

  LedgerException of(SQLException failure) {
    SQLException telling = telling(failure);
    String state = state(telling);
    return switch (state.substring(0, 2)) {
      case "23" -> new ConstraintException(rule(telling), telling);
      case "08" -> unreachable(telling);
      case "25" ->
          state.equals("25006")
              ? error(
                  Code.READ_ONLY,
                  telling,
                  "%s only reads: it is a standby of another server, or was set to read-only."
                      + " Name the primary in the address, or promote it.")
              : Set.of("25P03", "25P04").contains(state) ? unreachable(telling) : internal(telling);
      case "28" ->
          error(
              Code.CANNOT_OPEN,
              telling,
              "PostgreSQL does not let Berth in at %s. Check the user, the password, and"
                  + " pg_hba.conf on the server.");
      case "3D" ->
          error(
              Code.CANNOT_OPEN,
              telling,
              "There is no such database at %s. Make it with CREATE DATABASE, owned by the user.");
      case "40" -> busy(telling);
      case "42" -> ofSchema(state, telling);
      case "53" -> ofResources(state, telling);
      case "55" -> busy(telling);
      case "57" -> ofOperator(state, telling);
      case "58" ->
          error(
              Code.INPUT_OUTPUT,
              telling,
              "PostgreSQL could not read or write its files for %s. Look into the server's log.");
      case "XX" ->
          Set.of("XX001", "XX002").contains(state)
              ? error(
                  Code.CORRUPTED,
                  telling,
                  "PostgreSQL found damaged data in %s. Look into the server's log and restore a"
                      + " backup.")
              : internal(telling);
      // There are many more classes, and all of them mean that this program is wrong.
      default -> internal(telling);
    };
  }

  /** Whether a failed COMMIT was certainly undone, because the server itself said so. */
  static boolean undoneAtCommit(SQLException failure) {
    String state = state(telling(failure));
    // 40003 is the server's own word for not knowing.
    return state.startsWith("23") || (state.startsWith("40") && !state.equals("40003"));
  }

  /** Whether other connections to the same server are likely to be broken too. */
  static boolean connectionLost(SQLException failure) {
    String state = state(telling(failure));
    // After a failover the address may lead to another server.
    return state.startsWith("08") || CONNECTION_LOST.contains(state) || state.equals("25006");
  }

  private LedgerException ofSchema(String state, SQLException failure) {
    return switch (state) {
      case "42501" ->
          error(
              Code.CANNOT_OPEN,
              failure,
              "The user lacks rights at %s. Make it the owner of the database, or grant it CREATE"
                  + " and USAGE on the schema and all rights on the tables.");
      case "42P01", "42703" ->
          error(
              Code.SCHEMA_FOREIGN,
              failure,
              "A table of Berth is missing or was changed at %s. Restore a backup.");
      default -> internal(failure);
    };
  }

  private LedgerException ofResources(String state, SQLException failure) {
    return switch (state) {
      case "53100" ->
          error(Code.DISK_FULL, failure, "The disk of %s is full. Free some space on it.");
      case "53300" ->
          error(
              Code.BUSY,
              failure,
              "PostgreSQL has no free connection for %s. Raise max_connections, or the user's"
                  + " CONNECTION LIMIT.");
      default -> busy(failure);
    };
  }

  private LedgerException ofOperator(String state, SQLException failure) {
    return switch (state) {
      case "57P01", "57P02", "57P03", "57P05" -> unreachable(failure);
      case "57P04" -> error(Code.CANNOT_OPEN, failure, "The database %s was dropped.");
      default -> busy(failure);
    };
  }

  private LedgerException busy(SQLException failure) {
    return error(
        Code.BUSY,
        failure,
        "PostgreSQL did not get the work done in time, or something else was in its way, at %s.");
  }

  private LedgerException unreachable(SQLException failure) {
    return error(
        Code.UNREACHABLE,
        failure,
        "PostgreSQL does not answer at %s. Check that it runs and that the network lets Berth"
            + " through; Berth goes on by itself once it answers.");
  }

  private LedgerException internal(SQLException failure) {
    return error(Code.INTERNAL, failure, "An unexpected error of the database %s.");
  }

  private LedgerException error(Code code, SQLException failure, String sentence) {
    return new LedgerException(
        code, sentence.formatted(address) + " (" + failure.getMessage() + ")", failure);
  }

  private static Rule rule(SQLException failure) {
    String constraint =
        failure instanceof PSQLException known
            ? Optional.ofNullable(known.getServerErrorMessage())
                .map(ServerErrorMessage::getConstraint)
                .orElse("")
            : "";
    return switch (constraint) {
      case "entity_active_name" -> Rule.ACTIVE_NAME;
      case "action_in_flight" -> Rule.ONE_IN_FLIGHT;
      case "reply_pkey" -> Rule.REPLY_ONCE;
      default -> Rule.OTHER;
    };
  }

  private static String state(SQLException failure) {
    String state = failure.getSQLState();
    if (state != null && state.length() == 5) {
      return state;
    }
    // The pool found no connection in time and does not know why.
    return failure instanceof SQLTransientConnectionException ? "08001" : "XX000";
  }

  /** The failure of the server inside of those of the pool and of a batch. */
  private static SQLException telling(SQLException failure) {
    SQLException found = failure;
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof PSQLException server) {
        found = server;
      }
    }
    return found;
  }
}
