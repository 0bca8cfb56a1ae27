package dev.berth.ledger;

import static dev.berth.ledger.Samples.REALM;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Readers on virtual threads see whole commits only, and every commit that was acknowledged. */
class ReadersDuringWritesTest {
  private static final int ROWS = 20;
  private static final int COMMITS = 200;
  @TempDir Path folder;

  @Test
  void readersOfSqliteSeeWholeCommits() throws Exception {
    readersSeeWholeCommits(SqliteLedger.open(folder.resolve("berth.db")));
  }

  @Test
  void readersOfPostgresSeeWholeCommits() throws Exception {
    readersSeeWholeCommits(PostgresLedger.open(PostgresServer.newDatabase()));
  }

  private static void readersSeeWholeCommits(Ledger opened) throws Exception {
    AtomicLong acknowledged = new AtomicLong();
    AtomicBoolean writing = new AtomicBoolean(true);
    try (Ledger ledger = opened;
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Tenure tenure = ledger.takeOver(REALM, "me");
      ledger.commit(tenure, commit(0));
      List<Future<Long>> readers = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        readers.add(threads.submit(() -> readUntil(ledger, writing, acknowledged)));
      }
      try {
        for (int number = 1; number <= COMMITS; number++) {
          ledger.commit(tenure, commit(number));
          acknowledged.set(number);
        }
      } finally {
        writing.set(false);
      }
      for (Future<Long> reader : readers) {
        assertThat(reader.get()).isPositive();
      }
    }
  }

  private static long readUntil(Ledger ledger, AtomicBoolean writing, AtomicLong acknowledged) {
    long reads = 0;
    do {
      long atLeast = acknowledged.get();
      List<Stored<EntityRow>> rows = new ArrayList<>();
      long seq = ledger.readActive(REALM, rows::add);
      assertThat(rows).hasSize(ROWS).allSatisfy(stored -> assertThat(stored.seq()).isEqualTo(seq));
      assertThat(rows.getFirst().row().sortKey()).isGreaterThanOrEqualTo(atLeast);
      assertThat(rows).extracting(stored -> stored.row().sortKey()).containsOnly(seq - 1);
      EventPage page = ledger.events(REALM, EventQuery.after(0, EventQuery.LARGEST_PAGE));
      assertThat(page.nextAfter()).isEqualTo(page.events().size());
      reads++;
    } while (writing.get());
    return reads;
  }

  /** Every commit writes all rows and one event, so that the rows' numbers equal the realm's. */
  private static Commit commit(int number) {
    Commit.Builder builder = Commit.builder().event(Samples.event("all"));
    for (int row = 0; row < ROWS; row++) {
      builder.put(Samples.active("r" + row, "r" + row, number));
    }
    return builder.build();
  }
}
