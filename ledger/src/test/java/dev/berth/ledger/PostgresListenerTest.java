package dev.berth.ledger;

import static dev.berth.ledger.Samples.REALM;
import static dev.berth.ledger.Samples.event;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A standby hears of the events that the active server commits, without asking for them. */
@Timeout(60)
class PostgresListenerTest {
  @Test
  void eventsOfOtherServersAreHeardAlsoAfterTheConnectionBroke() throws Exception {
    PostgresAddress address = PostgresServer.newDatabase();
    PostgresDatabase listening =
        new PostgresDatabase(PostgresAddress.of(address + "?application_name=listening"));
    Looks looks = new Looks();
    // Nobody asks by himself within the hour, except when listening began anew.
    try (Ledger active = PostgresLedger.open(address);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        EventSignals signals = new EventSignals(Duration.ofHours(1))) {
      Tenure tenure = active.takeOver(REALM, "active");
      var first = CompletableFuture.supplyAsync(() -> await(signals, 0, looks), threads);
      looks.next().await();
      try (PostgresListener listener =
          new PostgresListener(listening, PostgresLimits.USUAL, signals, new InboxSignals())) {
        assertThat(listener).isNotNull();
        looks.next().await();
        for (String foreign : List.of("", "word", "word public", "1", "public main")) {
          PostgresServer.run(address, "SELECT pg_notify('berth_event', '" + foreign + "')");
          PostgresServer.run(address, "SELECT pg_notify('berth_inbox', '" + foreign + "')");
        }
        active.commit(tenure, Commit.builder().event(event("a")).build());
        assertThat(first.join()).isTrue();

        var second = CompletableFuture.supplyAsync(() -> await(signals, 1, looks), threads);
        looks.next().await();
        PostgresServer.run(
            address,
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
                + " WHERE application_name = 'listening'");
        looks.next().await();
        active.commit(tenure, Commit.builder().event(event("b")).build());
        assertThat(second.join()).isTrue();
      }
    }
  }

  private static boolean await(EventSignals signals, long after, Looks looks) {
    return signals.await(REALM, after, Duration.ofHours(1), looks::look);
  }

  /** Whoever looks into the database finds nothing, so only what is heard can end the waiting. */
  private static final class Looks {
    private final Queue<CountDownLatch> awaited = new ConcurrentLinkedQueue<>();
    private int looked;
    private int expected;

    synchronized CountDownLatch next() {
      CountDownLatch latch = new CountDownLatch(1);
      if (looked > expected) {
        latch.countDown();
      } else {
        awaited.add(latch);
      }
      expected++;
      return latch;
    }

    synchronized long look() {
      looked++;
      CountDownLatch latch = awaited.poll();
      if (latch != null) {
        latch.countDown();
      }
      return 0;
    }
  }
}
