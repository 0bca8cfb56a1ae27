package dev.berth.catalog.collect;

import static dev.berth.catalog.gate.Samples.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.catalog.collect.CollectSchedule.Last;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CollectScheduleTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Instant HOUR_AGO = NOON.minus(HOUR);
  private final CollectSchedule schedule = new CollectSchedule(HOUR, Duration.ofMinutes(10));

  @Test
  void whatWasNeverCollectedOrIsOldIsDue() {
    Map<String, Last> last =
        Map.of(
            "old", new Last(HOUR_AGO, HOUR_AGO),
            "young", new Last(HOUR_AGO.plusSeconds(1), HOUR_AGO.plusSeconds(1)));
    assertThat(schedule.due(List.of("young", "new", "old"), last, NOON))
        .containsExactly("new", "old");
  }

  @Test
  void whatFailedJustNowIsLeftAlone() {
    Instant tried = NOON.minus(Duration.ofMinutes(9));
    Map<String, Last> last =
        Map.of("failed", new Last(null, tried), "refused", new Last(HOUR_AGO, tried));
    assertThat(schedule.due(last.keySet(), last, NOON)).isEmpty();
    assertThat(schedule.next(last.keySet(), last, NOON)).contains(NOON.plusSeconds(60));
    assertThat(schedule.due(last.keySet(), last, NOON.plusSeconds(60))).hasSize(2);
  }

  @Test
  void aTimeInTheFutureDoesNotPutASourceOff() {
    Instant wrong = NOON.plus(Duration.ofDays(4000));
    assertThat(schedule.due(List.of("a"), Map.of("a", new Last(wrong, wrong)), NOON))
        .containsExactly("a");
  }

  @Test
  void theNextIsTheEarliestButNeverInThePast() {
    Map<String, Last> last =
        Map.of(
            "a", new Last(NOON.minusSeconds(60), null),
            "b", new Last(NOON.minusSeconds(120), null));
    assertThat(schedule.next(last.keySet(), last, NOON))
        .contains(NOON.plus(HOUR).minusSeconds(120));
    assertThat(schedule.next(last.keySet(), last, NOON.plus(Duration.ofDays(1))))
        .contains(NOON.plus(Duration.ofDays(1)));
    assertThat(schedule.next(List.of(), Map.of(), NOON)).isEmpty();
  }
}
