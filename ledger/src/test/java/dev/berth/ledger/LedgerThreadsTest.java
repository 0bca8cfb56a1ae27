package dev.berth.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.berth.ledger.LedgerException.Code;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LedgerThreadsTest {
  @Test
  void whoIsNotServedInTimeIsSentAwayAndNothingIsDone() {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    try (LedgerThreads threads =
        new LedgerThreads(new ThreadGroup("tests"), "tests", 1, Duration.ofSeconds(2))) {
      CompletableFuture<String> slow =
          CompletableFuture.supplyAsync(
              () ->
                  threads.call(
                      () -> {
                        begun.countDown();
                        await(goOn);
                        return "done";
                      }));
      await(begun);
      boolean[] done = {false};
      assertThatExceptionOfType(LedgerException.class)
          .isThrownBy(() -> threads.call(() -> done[0] = true))
          .satisfies(e -> assertThat(e.code()).isEqualTo(Code.BUSY));
      goOn.countDown();
      assertThat(slow.join()).as("what has begun is waited for").isEqualTo("done");
      assertThat(threads.call(() -> "next")).isEqualTo("next");
      assertThat(done[0]).isFalse();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
