package dev.berth.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.ledger.LedgerException.Code;
import java.net.SocketTimeoutException;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;
import org.postgresql.util.ServerErrorMessage;

/** What each report of PostgreSQL means. */
class PostgresErrorsTest {
  private static final PostgresErrors ERRORS =
      new PostgresErrors(PostgresAddress.of("postgresql://ann:c4nary@db/berth"));

  @ParameterizedTest
  @CsvSource({
    "08006, UNREACHABLE, true, false",
    "57P01, UNREACHABLE, true, false",
    "57P02, UNREACHABLE, true, false",
    "57P03, UNREACHABLE, true, false",
    "25P03, UNREACHABLE, true, false",
    "57P04, CANNOT_OPEN, false, false",
    "57014, BUSY, true, false",
    "55P03, BUSY, true, false",
    "40001, BUSY, true, true",
    "40P01, BUSY, true, true",
    "40003, BUSY, true, false",
    "53100, DISK_FULL, true, false",
    "53200, BUSY, true, false",
    "53300, BUSY, true, false",
    "25006, READ_ONLY, true, false",
    "28P01, CANNOT_OPEN, false, false",
    "28000, CANNOT_OPEN, false, false",
    "3D000, CANNOT_OPEN, false, false",
    "42501, CANNOT_OPEN, false, false",
    "42P01, SCHEMA_FOREIGN, false, false",
    "42601, INTERNAL, false, false",
    "58030, INPUT_OUTPUT, true, false",
    "XX001, CORRUPTED, false, false",
    "XX000, INTERNAL, false, false",
    "22001, INTERNAL, false, false",
    "23514, CONSTRAINT, false, true"
  })
  void everyStateHasItsCode(String state, Code code, boolean retryable, boolean undone) {
    PSQLException failure = server("C" + state);
    assertThat(ERRORS.of(failure).code()).isEqualTo(code);
    assertThat(ERRORS.of(failure).code().retryable()).isEqualTo(retryable);
    assertThat(PostgresErrors.undoneAtCommit(failure)).isEqualTo(undone);
    assertThat(ERRORS.of(failure).getMessage()).doesNotContain("c4nary");
  }

  @ParameterizedTest
  @CsvSource({
    "entity_active_name, ACTIVE_NAME",
    "action_in_flight, ONE_IN_FLIGHT",
    "reply_pkey, REPLY_ONCE",
    "event_pkey, OTHER"
  })
  void brokenRuleIsNamedByItsConstraint(String constraint, ConstraintException.Rule rule) {
    assertThat(ERRORS.of(server("C23505", "n" + constraint)))
        .isInstanceOfSatisfying(
            ConstraintException.class, e -> assertThat(e.rule()).isEqualTo(rule));
  }

  @Test
  void failureOfABatchIsThatOfItsCause() {
    SQLException batch =
        new BatchUpdateException("a batch", "23505", new int[0], server("C23505", "nreply_pkey"));
    assertThat(ERRORS.of(batch)).isInstanceOf(ConstraintException.class);
  }

  @Test
  void poolWithoutAConnectionTellsWhy() {
    SQLException without = new SQLTransientConnectionException("no connection in 5000 ms");
    assertThat(ERRORS.of(without).code()).isEqualTo(Code.UNREACHABLE);
    assertThat(PostgresErrors.connectionLost(without)).isTrue();
    SQLException full =
        new SQLTransientConnectionException("no connection", "53300", server("C53300"));
    assertThat(ERRORS.of(full).code()).isEqualTo(Code.BUSY);
    SQLException silent =
        new PSQLException(
            "An I/O error", PSQLState.CONNECTION_FAILURE, new SocketTimeoutException("timed out"));
    assertThat(ERRORS.of(silent).code()).isEqualTo(Code.UNREACHABLE);
  }

  /** A report as the server sends it: fields that each begin with a letter. */
  private static PSQLException server(String... fields) {
    return new PSQLException(
        new ServerErrorMessage("SERROR\0Msomething\0" + String.join("\0", fields) + "\0"));
  }
}
