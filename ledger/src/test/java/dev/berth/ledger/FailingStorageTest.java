package dev.berth.ledger;

import static dev.berth.ledger.Samples.REALM;
import static dev.berth.ledger.Samples.active;
import static dev.berth.ledger.Samples.event;
import static dev.berth.ledger.Samples.put;
import static dev.berth.ledger.Samples.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.ledger.LedgerException.Code;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Trouble while writing: what is certain is said for certain, what is unclear is called unclear.
 */
class FailingStorageTest {
  /** Real transactions that go wrong when told. */
  private static final class Faults implements TransactionControl {
    private final TransactionControl real = TransactionControl.sqlite();
    private volatile String pragmaAtBegin = "";
    private volatile boolean failBeforeCommit;
    private volatile boolean failAfterCommit;

    @Override
    public void begin(Connection connection) throws SQLException {
      if (!pragmaAtBegin.isEmpty()) {
        try (Statement statement = connection.createStatement()) {
          statement.execute(pragmaAtBegin);
        }
      }
      real.begin(connection);
    }

    @Override
    public void commit(Connection connection) throws SQLException {
      if (failBeforeCommit) {
        throw new SQLException("the disk went away", "", 10);
      }
      real.commit(connection);
      if (failAfterCommit) {
        throw new SQLException("the disk went away", "", 10);
      }
    }

    @Override
    public void rollback(Connection connection) throws SQLException {
      real.rollback(connection);
    }
  }

  private static final Commit COMMIT =
      Commit.builder().put(active("a", "a", 1)).event(event("a")).build();

  @TempDir Path folder;
  private final Faults faults = new Faults();
  private Ledger ledger;
  private Tenure tenure;

  @BeforeEach
  void open() {
    ledger = SqliteLedger.open(folder.resolve("berth.db"), faults);
    tenure = ledger.takeOver(REALM, "me");
  }

  @AfterEach
  void close() {
    ledger.close();
  }

  @Test
  void unclearCommitThatWasStoredIsFoundAfterTakingOver() {
    faults.failAfterCommit = true;
    assertUnclear();
    Tenure next = ledger.takeOver(REALM, "me");
    assertThat(next).isEqualTo(new Tenure(REALM, "me", 2, 1));
    assertThat(ledger.find(REALM, run("a"))).isPresent();
    assertThat(ledger.commit(next, COMMIT)).isEqualTo(new Committed(2, 2));
  }

  @Test
  void unclearCommitThatWasLostIsNotFoundAfterTakingOver() {
    faults.failBeforeCommit = true;
    assertUnclear();
    Tenure next = ledger.takeOver(REALM, "me");
    assertThat(next).isEqualTo(new Tenure(REALM, "me", 2, 0));
    assertThat(ledger.find(REALM, run("a"))).isEmpty();
    assertThat(ledger.commit(next, COMMIT)).isEqualTo(new Committed(1, 1));
  }

  @Test
  void unclearTakeOverIsUnclearToo() {
    faults.failAfterCommit = true;
    assertThatThrownBy(() -> ledger.takeOver(REALM, "me"))
        .isInstanceOf(CommitUnknownException.class);
    faults.failAfterCommit = false;
    assertThatThrownBy(() -> ledger.commit(tenure, COMMIT)).isInstanceOf(FencedException.class);
    assertThat(ledger.takeOver(REALM, "me").epoch()).isEqualTo(3);
  }

  @Test
  void unclearTenureStaysRefusedWhereNobodyTookOver() {
    faults.failBeforeCommit = true;
    assertUnclear();
    assertThat(ledger.takeOverIfSilent(REALM, "me", 1, Duration.ofHours(1))).isEmpty();
    assertThatThrownBy(() -> ledger.commit(tenure, COMMIT)).isInstanceOf(FencedException.class);
    assertThatThrownBy(() -> ledger.renew(tenure)).isInstanceOf(FencedException.class);
    assertThat(ledger.takeOverIfSilent(REALM, "me", 1, Duration.ZERO)).isPresent();
  }

  @Test
  void unclearTrimIsToldAndTheTenureIsResumed() {
    List<String> told = new CopyOnWriteArrayList<>();
    ledger.whenUnclear(told::add);
    faults.failBeforeCommit = true;
    assertThatThrownBy(() -> ledger.trim(tenure, Trimmable.EVENTS, Instant.EPOCH, 1))
        .isInstanceOf(CommitUnknownException.class);
    faults.failBeforeCommit = false;
    assertThat(told).containsExactly(REALM);
    assertThatExceptionOfType(FencedException.class)
        .isThrownBy(() -> ledger.commit(tenure, COMMIT))
        .satisfies(e -> assertThat(e.isTakenOver()).isFalse());
    assertThat(ledger.commit(ledger.resume(tenure), COMMIT)).isEqualTo(new Committed(1, 1));
  }

  @Test
  void resumptionThatWasStoredAndNotKnownToBeIsRepeated() {
    faults.failAfterCommit = true;
    assertThatThrownBy(() -> ledger.resume(tenure)).isInstanceOf(CommitUnknownException.class);
    faults.failAfterCommit = false;
    assertThat(ledger.resume(tenure)).isEqualTo(new Tenure(REALM, "me", 3, 0));
  }

  @Test
  void otherRealmsGoOnAfterAnUnclearCommit() {
    Tenure other = ledger.takeOver("other", "me");
    faults.failBeforeCommit = true;
    assertUnclear();
    assertThat(ledger.commit(other, COMMIT)).isEqualTo(new Committed(1, 1));
  }

  @Test
  void fullDiskWritesNothingAndTheTenureGoesOn() {
    faults.pragmaAtBegin = "PRAGMA max_page_count = 1";
    Commit large = put(row("x".repeat(1_000_000)));
    assertFails(Code.DISK_FULL, "Free some space", large);
    faults.pragmaAtBegin = "";
    assertThat(ledger.find(REALM, run("a"))).isEmpty();
    assertThat(ledger.commit(tenure, large).events()).isZero();
    assertThat(ledger.find(REALM, run("a")).orElseThrow().row().body().json()).hasSize(1_000_002);
  }

  @Test
  void readOnlyFileIsNamed() {
    faults.pragmaAtBegin = "PRAGMA query_only = ON";
    assertFails(Code.READ_ONLY, "write permission", COMMIT);
    faults.pragmaAtBegin = "";
    assertThat(ledger.commit(tenure, COMMIT)).isEqualTo(new Committed(1, 1));
  }

  @Test
  void receiverThatCallsTheLedgerIsStopped() {
    ledger.commit(tenure, COMMIT);
    assertThatThrownBy(() -> ledger.readActive(REALM, stored -> ledger.findRealm(REALM)))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> ledger.readActive(REALM, stored -> ledger.commit(tenure, COMMIT)))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void interruptedCallerStillLearnsTheOutcome() {
    Thread.currentThread().interrupt();
    assertThat(ledger.commit(tenure, COMMIT)).isEqualTo(new Committed(1, 1));
    assertThat(Thread.interrupted()).isTrue();
  }

  private void assertUnclear() {
    assertThatExceptionOfType(CommitUnknownException.class)
        .isThrownBy(() -> ledger.commit(tenure, COMMIT))
        .withMessageContaining("the disk went away");
    faults.failBeforeCommit = false;
    faults.failAfterCommit = false;
    assertThatThrownBy(() -> ledger.commit(tenure, COMMIT))
        .isInstanceOf(FencedException.class)
        .hasMessageContaining("not known");
  }

  private void assertFails(Code code, String advice, Commit commit) {
    assertThatExceptionOfType(LedgerException.class)
        .isThrownBy(() -> ledger.commit(tenure, commit))
        .withMessageContaining(advice)
        .satisfies(e -> assertThat(e.code()).isEqualTo(code));
  }

  private static EntityRow row(String text) {
    return new EntityRow(
        run("a"), "main", "a", null, "s", true, null, 1, Samples.body("\"" + text + "\""));
  }
}
