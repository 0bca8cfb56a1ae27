package dev.berth.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.Attempt;
import dev.berth.model.Entity;
import dev.berth.model.JobReason;
import dev.berth.model.JobStatus;
import dev.berth.model.Resource;
import dev.berth.model.ResourceType;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class StateMetricsTest {
  private static final Instant NOON = Instant.parse("2026-11-01T12:00:00Z");

  private final List<String> heard = new ArrayList<>();
  private final StateMetrics stateMetrics =
      new StateMetrics(
          new Instruments() {
            @Override
            public void placed(Duration waited) {
              heard.add("placed after " + waited.toSeconds());
            }

            @Override
            public void provisioned(String backend, Provisioned what, Duration took) {
              heard.add(what.word() + " at " + backend + " after " + took.toSeconds());
            }

            @Override
            public void strangerGone(String backend) {
              heard.add("gone at " + backend);
            }
          });

  private static Attempt attempt() {
    return new Attempt(
        "r1-0-0-1",
        "main",
        "r1",
        "r1-0-0",
        1,
        "p1",
        JobStatus.SUBMITTED,
        null,
        null,
        null,
        null,
        null,
        0,
        NOON,
        null,
        null,
        null);
  }

  private void written(Entity entity, int seconds) {
    stateMetrics.written(entity, NOON.plusSeconds(seconds));
  }

  private Map<StateMetrics.Group, Long> present() {
    Map<StateMetrics.Group, Long> counts = stateMetrics.counts();
    counts.values().removeIf(count -> count == 0);
    return counts;
  }

  private static StateMetrics.Group group(Entity.Kind kind, String state, String backend) {
    return new StateMetrics.Group(kind, state, backend);
  }

  @Test
  void anAttemptIsCountedWhereItIsNowAndNowhereOnceItHasEnded() {
    written(attempt(), 0);
    written(attempt(), 1);
    assertThat(present()).isEqualTo(Map.of(group(Entity.Kind.ATTEMPT, "submitted", ""), 1L));
    Attempt running = attempt().placedAt("sim", 1).running(NOON.plusSeconds(9));
    written(running, 9);
    assertThat(present()).isEqualTo(Map.of(group(Entity.Kind.ATTEMPT, "running", ""), 1L));
    written(running.ended(JobReason.DONE_BY_RUNNER, null, 0, NOON.plusSeconds(20)), 20);
    assertThat(present()).isEmpty();
  }

  @Test
  void theWaitForAPlaceAndTheWayToTheStartAreMeasuredOnce() {
    Attempt placed = attempt().placedAt("sim", 1);
    written(attempt(), 0);
    written(placed, 5);
    written(placed.because("pulls"), 6);
    written(placed.running(NOON.plusSeconds(12)), 13);
    written(placed.running(NOON.plusSeconds(12)).unseen(NOON), 14);
    assertThat(heard).containsExactly("placed after 5", "job at sim after 7");
  }

  @Test
  void aJobThatIsSeenOnlyAtItsEndIsMeasuredToItsStart() {
    Attempt placed = attempt().placedAt("sim", 1);
    written(placed, 2);
    Attempt started = placed.running(NOON.plusSeconds(4));
    written(started.ended(JobReason.DONE_BY_RUNNER, null, 0, NOON.plusSeconds(60)), 61);
    assertThat(heard).containsExactly("placed after 2", "job at sim after 2");
  }

  @Test
  void whatNeverStartedIsNoMeasureOfStarts() {
    Attempt placed = attempt().placedAt("sim", 1);
    written(placed, 2);
    written(
        placed.ended(JobReason.FAILED_TO_START_DUE_TO_NO_CAPACITY, null, null, NOON.plusSeconds(9)),
        9);
    assertThat(heard).containsExactly("placed after 2");
  }

  @Test
  void aReloadCountsAnew() {
    written(attempt(), 0);
    stateMetrics.loaded(new ActiveSet());
    assertThat(present()).isEmpty();
    stateMetrics.deleted(attempt());
    assertThat(present()).isEmpty();
  }

  @Test
  void strangersThatAreGoneAreToldAndWhatIsOwnedIsNot() {
    for (String owner : List.of("", "r1-0-0-1")) {
      Resource there =
          new Resource(
              "key-" + owner,
              "main",
              owner,
              "sim",
              ResourceType.INSTANCE,
              Resource.State.IN_DOUBT,
              null,
              null,
              null);
      written(there, 0);
      assertThat(present()).isEqualTo(Map.of(group(Entity.Kind.RESOURCE, "in_doubt", "sim"), 1L));
      written(there.in(Resource.State.GONE, null), 1);
    }
    assertThat(heard).containsExactly("gone at sim");
  }
}
