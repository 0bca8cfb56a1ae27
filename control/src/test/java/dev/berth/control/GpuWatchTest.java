package dev.berth.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.Attempt;
import dev.berth.model.Job;
import dev.berth.model.JobReason;
import dev.berth.model.JobSpec;
import dev.berth.model.JobStatus;
import dev.berth.model.ResourceVector;
import dev.berth.model.config.UtilizationPolicy;
import dev.berth.spi.BackendException;
import dev.berth.spi.GpuMetrics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Who is told to idle, by a clock that the test moves. */
final class GpuWatchTest {
  private static final Duration WINDOW = Duration.ofMinutes(5);
  private static final UtilizationPolicy POLICY = new UtilizationPolicy(20, WINDOW);

  private final SettableClock clock = new SettableClock();
  private final ActiveSet view = new ActiveSet();
  private final Map<String, List<Integer>> use = new HashMap<>();
  private final List<List<GpuMetrics.Holder>> asked = new ArrayList<>();
  private final List<String> told = new ArrayList<>();
  private @Nullable RuntimeException failure;
  private final GpuWatch watch = new GpuWatch(Samples.BACKEND, this::utilisation, clock, told::add);

  private Map<String, List<Integer>> utilisation(List<GpuMetrics.Holder> jobs) {
    asked.add(jobs);
    if (failure != null) {
      throw failure;
    }
    return use;
  }

  @Test
  void whoIdlesForTheWholeWindowIsTold() {
    follow("r1", POLICY);
    use.put("r1-0-0-1", List.of(19));
    pass(WINDOW);
    assertThat(told).as("the last look is a moment too early").isEmpty();
    pass(GpuWatch.LOOK_EVERY);
    assertThat(told).containsExactly("r1-0-0-1");
    pass(GpuWatch.LOOK_EVERY);
    assertThat(told).as("until it is heard").hasSize(2);
  }

  @Test
  void oneIdleAcceleratorIsEnoughAndSeveralThatTakeTurnsAreNot() {
    follow("r1", POLICY);
    for (int i = 0; i < 100; i++) {
      use.put("r1-0-0-1", i % 2 == 0 ? List.of(0, 100) : List.of(100, 0));
      pass(GpuWatch.LOOK_EVERY);
    }
    assertThat(told).isEmpty();
    use.put("r1-0-0-1", List.of(100, 0));
    pass(WINDOW.plus(GpuWatch.LOOK_EVERY));
    assertThat(told).isNotEmpty();
  }

  @Test
  void asMuchAsAskedForIsEnough() {
    follow("r1", POLICY);
    use.put("r1-0-0-1", List.of(20, 100));
    pass(WINDOW.multipliedBy(2));
    assertThat(told).isEmpty();
  }

  @Test
  void oneBusyLookStartsTheWindowAnew() {
    follow("r1", POLICY);
    idleThenAfterTheBreakIdle(() -> use.put("r1-0-0-1", List.of(20)));
  }

  @Test
  void aMissingSampleStartsTheWindowAnew() {
    follow("r1", POLICY);
    idleThenAfterTheBreakIdle(() -> use.remove("r1-0-0-1"));
  }

  @Test
  void anEmptySampleStartsTheWindowAnew() {
    follow("r1", POLICY);
    idleThenAfterTheBreakIdle(() -> use.put("r1-0-0-1", List.of()));
  }

  @Test
  void anotherNumberOfAcceleratorsStartsTheWindowAnew() {
    follow("r1", POLICY);
    idleThenAfterTheBreakIdle(() -> use.put("r1-0-0-1", List.of(0, 0)));
  }

  @Test
  void anErrorStartsTheWindowAnew() {
    follow("r1", POLICY);
    idleThenAfterTheBreakIdle(
        () -> failure = new BackendException.Transient("nobody answers", null));
  }

  @Test
  void aFaultOfTheBackendStartsTheWindowAnew() {
    follow("r1", POLICY);
    idleThenAfterTheBreakIdle(() -> failure = new IllegalStateException("a fault"));
  }

  /** Almost a window, one look of another kind, and almost a window again. */
  private void idleThenAfterTheBreakIdle(Runnable otherLook) {
    use.put("r1-0-0-1", List.of(0));
    pass(WINDOW);
    otherLook.run();
    pass(GpuWatch.LOOK_EVERY);
    failure = null;
    use.put("r1-0-0-1", List.of(0));
    pass(WINDOW);
    assertThat(told).isEmpty();
    pass(GpuWatch.LOOK_EVERY);
    assertThat(told).isNotEmpty();
  }

  @Test
  void aLongTimeWithoutALookStartsTheWindowAnew() {
    follow("r1", POLICY);
    use.put("r1-0-0-1", List.of(0));
    watch.step();
    clock.pass(WINDOW.multipliedBy(2));
    watch.step();
    pass(WINDOW);
    assertThat(told).isEmpty();
    pass(GpuWatch.LOOK_EVERY);
    assertThat(told).isNotEmpty();
  }

  @Test
  void aServerThatStartsAgainCountsAnew() {
    follow("r1", POLICY);
    use.put("r1-0-0-1", List.of(0));
    pass(WINDOW);
    GpuWatch next = new GpuWatch(Samples.BACKEND, this::utilisation, clock, told::add);
    next.follow(view.active(Attempt.class), view);
    clock.pass(GpuWatch.LOOK_EVERY);
    next.step();
    assertThat(told).isEmpty();
  }

  @Test
  void afterAReloadTheCountGoesOn() {
    follow("r1", POLICY);
    use.put("r1-0-0-1", List.of(0));
    pass(WINDOW);
    watch.follow(view.active(Attempt.class), view);
    pass(GpuWatch.LOOK_EVERY);
    assertThat(told).isNotEmpty();
  }

  @Test
  void onlyRunningAttemptsOfThisBackendWithAPolicyAreAskedFor() {
    assertThat(watch.next(clock.instant())).isEmpty();
    follow("r1", null);
    Attempt elsewhere = attempt("r2", POLICY).placedAt("elsewhere", 1).running(clock.instant());
    watch.follow(elsewhere, view);
    watch.follow(attempt("r3", POLICY).placedAt(Samples.BACKEND, 1), view);
    assertThat(watch.next(clock.instant())).isEmpty();
    watch.step();
    assertThat(asked).isEmpty();

    Attempt running = attempt("r4", POLICY).placedAt(Samples.BACKEND, 1).running(clock.instant());
    watch.follow(running, view);
    clock.pass(GpuWatch.LOOK_EVERY);
    watch.step();
    assertThat(asked).containsExactly(List.of(new GpuMetrics.Holder("r4-0-0-1", Set.of())));
    watch.follow(running.ending(JobReason.TERMINATED_BY_USER), view);
    assertThat(watch.next(clock.instant())).isEmpty();
  }

  @Test
  void theDevicesAreThoseThatTheJobHasOfItsMachine() {
    Attempt attempt = attempt("r1", POLICY);
    ResourceVector share = new ResourceVector(1, 1, 1, 1, Set.of("g2"));
    view.load(Samples.instance(4).allocate(attempt.id(), share));
    watch.follow(attempt.placedOn(Samples.instance(4), 1).running(clock.instant()), view);
    watch.step();
    assertThat(asked).containsExactly(List.of(new GpuMetrics.Holder(attempt.id(), Set.of("g2"))));
  }

  @Test
  void manyAreAskedForInParts() {
    for (int i = 0; i < 2 * GpuWatch.MOST_AT_ONCE + 1; i++) {
      follow("r" + i, POLICY);
    }
    watch.step();
    assertThat(asked)
        .extracting(List::size)
        .containsExactly(GpuWatch.MOST_AT_ONCE, GpuWatch.MOST_AT_ONCE, 1);
  }

  private void follow(String runId, @Nullable UtilizationPolicy policy) {
    Attempt running = attempt(runId, policy).placedAt(Samples.BACKEND, 1).running(clock.instant());
    view.load(running);
    watch.follow(running, view);
  }

  /** An attempt whose job the view has. */
  private Attempt attempt(String runId, @Nullable UtilizationPolicy policy) {
    JobSpec spec =
        new JobSpec(
            null,
            List.of("true"),
            null,
            Map.of(),
            List.of(),
            null,
            null,
            JobSpec.Requirements.NONE,
            policy);
    Job job =
        new Job(
            runId + "-0-0",
            Samples.PROJECT,
            runId,
            0,
            0,
            List.of(),
            true,
            List.of(),
            List.of(),
            spec,
            JobStatus.RUNNING,
            null);
    view.load(job);
    return Attempt.of(job, 1, runId + "-0-p1", clock.instant());
  }

  /** Steps whenever it is time, up to but without the end. */
  private void pass(Duration time) {
    for (Duration gone = Duration.ZERO;
        gone.compareTo(time) < 0;
        gone = gone.plus(GpuWatch.LOOK_EVERY)) {
      watch.step();
      clock.pass(GpuWatch.LOOK_EVERY);
    }
  }
}
