package dev.berth.ledger;

import static dev.berth.ledger.Samples.REALM;
import static org.assertj.core.api.Assertions.assertThat;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** PostgreSQL is restarted under load, and the ledger goes on without being opened again. */
@Timeout(180)
class PostgresRestartTest {
  private static final int RESTARTS = 3;

  @TempDir Path folder;
  private final AtomicBoolean writing = new AtomicBoolean(true);

  /** Arrived at for every acknowledged commit. */
  private final Phaser acknowledgements = new Phaser(1);

  private final List<Long> acknowledged = new ArrayList<>();
  private final List<LedgerException> failures = new ArrayList<>();

  @Test
  void acknowledgedCommitsSurviveAndTheRestGoesOn() throws Exception {
    PostgresServer.require();
    Path data = folder.resolve("data");
    EmbeddedPostgres server = PostgresServer.start(data, 0);
    try (Ledger ledger = PostgresLedger.open(PostgresServer.address(server.getPort(), "postgres"));
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var writer = CompletableFuture.runAsync(() -> write(ledger), threads);
      var reader = CompletableFuture.supplyAsync(() -> read(ledger), threads);
      for (int i = 0; i < RESTARTS; i++) {
        awaitAcknowledgements(20);
        int port = server.getPort();
        server.close();
        server = PostgresServer.start(data, port);
      }
      awaitAcknowledgements(20);
      writing.set(false);
      writer.join();
      assertThat(reader.join()).isPositive();
      assertThat(failures).isNotEmpty();
      assertThat(failures)
          .allSatisfy(
              e ->
                  assertThat(e.code())
                      .isIn(LedgerException.Code.UNREACHABLE, LedgerException.Code.COMMIT_UNKNOWN));
      List<Stored<EventRow>> events = Samples.allEvents(ledger, REALM);
      assertThat(events).extracting(Stored::seq).doesNotHaveDuplicates().isSorted();
      assertThat(events).hasSize(Math.toIntExact(ledger.findRealm(REALM).orElseThrow().seq()));
      assertThat(events)
          .extracting(stored -> Long.valueOf(stored.row().entity().id()))
          .doesNotHaveDuplicates()
          .containsAll(acknowledged);
    } finally {
      writing.set(false);
      server.close();
    }
  }

  private void awaitAcknowledgements(int count) {
    int target = acknowledgements.getPhase() + count;
    for (int phase = acknowledgements.getPhase(); phase < target; phase++) {
      acknowledgements.awaitAdvance(phase);
    }
  }

  /** As the loop does: after any failure it takes over again, and says each thing once. */
  private void write(Ledger ledger) {
    Tenure tenure = ledger.takeOver(REALM, "me");
    for (long number = 1; writing.get(); number++) {
      try {
        if (tenure.epoch() == 0) {
          tenure = ledger.takeOver(REALM, "me");
        }
        ledger.commit(tenure, Commit.builder().event(Samples.event(Long.toString(number))).build());
        acknowledged.add(number);
        acknowledgements.arrive();
      } catch (LedgerException e) {
        failures.add(e);
        tenure = new Tenure(REALM, "me", 0, 0);
      }
    }
  }

  private long read(Ledger ledger) {
    long reads = 0;
    while (writing.get()) {
      try {
        ledger.events(REALM, EventQuery.after(0, 10));
        reads++;
      } catch (LedgerException e) {
        assertThat(e.code()).isEqualTo(LedgerException.Code.UNREACHABLE);
      }
    }
    return reads;
  }
}
