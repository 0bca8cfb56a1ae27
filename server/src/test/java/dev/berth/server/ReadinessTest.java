package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.ledger.LedgerException;
import dev.berth.model.api.ReadyView;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Strangers who ask a server that stands by whether it is ready. */
class ReadinessTest {
  private static final Instant NOON = Instant.parse("2026-11-01T12:00:00Z");

  private Instant now = NOON;
  private boolean answers = true;
  private final AtomicInteger asked = new AtomicInteger();

  private final Readiness readiness =
      Readiness.standingBy(
          () -> {
            asked.incrementAndGet();
            if (!answers) {
              throw new LedgerException(LedgerException.Code.CLOSED, "away");
            }
          },
          () -> now);

  @Test
  void theStorageIsAskedOnceASecondHoweverManyAsk() {
    for (int i = 0; i < 100; i++) {
      assertThat(readiness.check()).isEqualTo(new ReadyView("standby"));
    }
    assertThat(asked).hasValue(1);
    answers = false;
    now = NOON.plusSeconds(1);
    for (int i = 0; i < 100; i++) {
      assertThatThrownBy(readiness::check)
          .isInstanceOfSatisfying(ApiException.class, e -> assertThat(e.status()).isEqualTo(503))
          .hasMessageContaining("its storage does not answer");
    }
    assertThat(asked).hasValue(2);
    answers = true;
    now = NOON.plusSeconds(2);
    readiness.check();
    assertThat(asked).hasValue(3);
  }
}
