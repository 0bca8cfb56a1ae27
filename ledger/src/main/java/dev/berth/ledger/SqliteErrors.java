package dev.berth.ledger;

import dev.berth.ledger.ConstraintException.Rule;
import dev.berth.ledger.LedgerException.Code;
import java.nio.file.Path;
import java.sql.SQLException;
import org.sqlite.SQLiteErrorCode;

/** Turns what SQLite reports into what the caller can act on. */
final class SqliteErrors {
  private final Path file;

  SqliteErrors(Path file) {
    this.file = file;
  }

  LedgerException of(SQLException failure) {
    // The low byte is the primary code; extended codes only say where it happened.
    SQLiteErrorCode primary = SQLiteErrorCode.getErrorCode(failure.getErrorCode() & 0xff);
    return switch (primary) {
      case SQLITE_CONSTRAINT -> new ConstraintException(rule(failure), failure);
      case SQLITE_FULL ->
          error(Code.DISK_FULL, failure, "The disk of %s is full. Free some space on it.");
      case SQLITE_READONLY ->
          error(
              Code.READ_ONLY,
              failure,
              "%s cannot be written. Give its owner write permission on the file and its folder,"
                  + " and check that the disk is not mounted read-only.");
      case SQLITE_CORRUPT, SQLITE_NOTADB ->
          error(
              Code.CORRUPTED,
              failure,
              "%s is damaged or is not a SQLite database. Move it away and restore a backup.");
      case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH ->
          error(
              Code.CANNOT_OPEN,
              failure,
              "%s cannot be opened. Check the path and the permissions of its folder.");
      case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL ->
          error(
              Code.BUSY,
              failure,
              "Another program keeps %s locked. End it (a database browser or a backup, for"
                  + " example) and try again.");
      case SQLITE_IOERR ->
          error(
              Code.INPUT_OUTPUT,
              failure,
              "Reading or writing %s failed. Check the disk and the system's log.");
      // SQLite has many more codes, and all of them mean that this program is wrong.
      default -> error(Code.INTERNAL, failure, "An unexpected error of the database %s.");
    };
  }

  private LedgerException error(Code code, SQLException failure, String sentence) {
    return new LedgerException(
        code, sentence.formatted(file) + " (" + failure.getMessage() + ")", failure);
  }

  private static Rule rule(SQLException failure) {
    String message = String.valueOf(failure.getMessage());
    if (message.contains("entity.name")) {
      return Rule.ACTIVE_NAME;
    }
    if (message.contains("action.resource_key")) {
      return Rule.ONE_IN_FLIGHT;
    }
    return message.contains("reply.idempotency_key") ? Rule.REPLY_ONCE : Rule.OTHER;
  }
}
