package dev.berth.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.Attempt;
import dev.berth.model.Job;
import dev.berth.model.JobReason;
import dev.berth.model.JobSpec;
import dev.berth.model.JobStatus;
import dev.berth.model.ResourceVector;
import dev.berth.spi.BackendException;
import dev.berth.spi.GpuMetrics;
import dev.berth.spi.JobUsage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is known of what jobs use, by a clock that the test moves. */
final class UsageWatchTest {
  private static final String ATTEMPT = "r1-0-0-1";
  private static final long MEMORY = 1024;

  private final SettableClock clock = new SettableClock();
  private final ActiveSet view = new ActiveSet();
  private final Map<String, JobUsage> use = new HashMap<>();
  private final Map<String, List<Integer>> busy = new HashMap<>();
  private final List<List<String>> asked = new ArrayList<>();
  private final List<List<GpuMetrics.Holder>> askedForGpus = new ArrayList<>();
  private @Nullable RuntimeException failure;
  private final UsageWatch watch =
      new UsageWatch(
          Samples.BACKEND, new MeasuringRuntime(this::usage), Optional.of(this::gpus), clock);

  private Map<String, JobUsage> usage(List<String> jobs) {
    asked.add(jobs);
    if (failure != null) {
      throw failure;
    }
    return use;
  }

  private Map<String, List<Integer>> gpus(List<GpuMetrics.Holder> jobs) {
    askedForGpus.add(jobs);
    return busy;
  }

  @Test
  void processorsAreThoseBetweenTheLastTwoLooks() {
    follow("r1", 0);
    tell(Duration.ofSeconds(5));
    watch.step();
    assertThat(only().usage().processorTime()).isEqualTo(Duration.ofSeconds(5));
    assertThat(only().processors()).as("before the second look").isNull();
    clock.pass(UsageWatch.LOOK_EVERY);
    tell(Duration.ofSeconds(20));
    watch.step();
    assertThat(only().processors()).isEqualTo(1.5);
    assertThat(only())
        .returns("r1", MeasuredJob::runId)
        .returns(0, MeasuredJob::node)
        .returns(Samples.PROJECT, MeasuredJob::project)
        .returns(Samples.BACKEND, MeasuredJob::backend);
  }

  @Test
  void whatIsToldTwiceChangesNothing() {
    follow("r1", 0);
    tell(Duration.ofSeconds(0));
    watch.step();
    clock.pass(UsageWatch.LOOK_EVERY);
    tell(Duration.ofSeconds(10));
    watch.step();
    clock.pass(UsageWatch.LOOK_EVERY);
    watch.step();
    assertThat(only().processors()).isEqualTo(1.0);
  }

  @Test
  void processorTimeNeverFalls() {
    follow("r1", 0);
    tell(Duration.ofSeconds(30));
    watch.step();
    clock.pass(UsageWatch.LOOK_EVERY);
    tell(Duration.ofSeconds(7));
    watch.step();
    assertThat(only().usage().processorTime()).isEqualTo(Duration.ofSeconds(30));
    assertThat(only().processors()).isZero();
  }

  @Test
  void onlyRunningAttemptsOfThisBackendAreAskedFor() {
    watch.step();
    assertThat(asked).as("nobody runs").isEmpty();
    watch.follow(attempt("r2", 0).placedAt("elsewhere", 1).running(clock.instant()), view);
    watch.follow(attempt("r3", 0).placedAt(Samples.BACKEND, 1), view);
    assertThat(watch.next(clock.instant())).isEmpty();
    Attempt running = follow("r1", 0);
    tell(Duration.ZERO);
    watch.step();
    assertThat(asked).containsExactly(List.of(ATTEMPT));
    watch.follow(running.ending(JobReason.TERMINATED_BY_USER), view);
    assertThat(watch.figures()).isEmpty();
    assertThat(watch.next(clock.instant())).isEmpty();
  }

  @Test
  void figuresThatAreTooOldAreLeftOut() {
    follow("r1", 0);
    tell(Duration.ZERO);
    watch.step();
    failure = new BackendException.Transient("nobody answers", null);
    clock.pass(UsageWatch.FRESH_FOR);
    watch.step();
    assertThat(watch.figures()).as("just fresh enough").hasSize(1);
    clock.pass(Duration.ofSeconds(1));
    assertThat(watch.figures()).isEmpty();
    failure = null;
    tell(Duration.ZERO);
    clock.pass(UsageWatch.LOOK_EVERY);
    watch.step();
    assertThat(watch.figures()).hasSize(1);
  }

  @Test
  void aFaultOfTheBackendIsSurvived() {
    follow("r1", 0);
    failure = new IllegalStateException("a fault");
    watch.step();
    assertThat(watch.figures()).isEmpty();
  }

  @Test
  void whoIsAskedTooOftenIsLeftAlone() {
    follow("r1", 0);
    failure = new BackendException.RateLimited("too often", Duration.ofMinutes(5));
    watch.step();
    assertThat(watch.next(clock.instant())).contains(clock.instant().plus(Duration.ofMinutes(5)));
  }

  @Test
  void aNewJobIsLookedAtSoonAgainUntilSomethingIsKnown() {
    follow("r1", 0);
    watch.step();
    assertThat(watch.next(clock.instant())).contains(clock.instant().plus(UsageWatch.LOOK_SOON));
    clock.pass(UsageWatch.LOOK_SOON);
    tell(Duration.ZERO);
    watch.step();
    assertThat(watch.next(clock.instant())).contains(clock.instant().plus(UsageWatch.LOOK_EVERY));
  }

  @Test
  void anOldJobOfWhichNothingIsKnownHurriesNobody() {
    follow("r1", 0);
    clock.pass(Duration.ofMinutes(1));
    watch.step();
    assertThat(watch.next(clock.instant())).contains(clock.instant().plus(UsageWatch.LOOK_EVERY));
  }

  @Test
  void acceleratorsAreAskedForOnlyWhereThereAreSome() {
    follow("r1", 0);
    tell(Duration.ZERO);
    watch.step();
    assertThat(askedForGpus).isEmpty();
    follow("r2", 2);
    Attempt shared = attempt("r3", 0);
    view.load(
        Samples.instance(4).allocate(shared.id(), new ResourceVector(1, 1, 1, 1, Set.of("g2"))));
    watch.follow(shared.placedOn(Samples.instance(4), 1).running(clock.instant()), view);
    busy.put("r2-0-0-1", List.of(90, 10));
    use.put("r2-0-0-1", new JobUsage(clock.instant(), Duration.ZERO, MEMORY, null));
    clock.pass(UsageWatch.LOOK_EVERY);
    watch.step();
    assertThat(askedForGpus)
        .containsExactly(
            List.of(
                new GpuMetrics.Holder("r2-0-0-1", Set.of()),
                new GpuMetrics.Holder("r3-0-0-1", Set.of("g2"))));
    assertThat(watch.figures())
        .extracting(MeasuredJob::gpuUtilisation)
        .containsExactly(List.of(), List.of(90, 10));
  }

  @Test
  void manyAreAskedForInParts() {
    for (int i = 0; i < 2 * UsageWatch.MOST_AT_ONCE + 1; i++) {
      follow("r" + i, 0);
    }
    watch.step();
    assertThat(asked)
        .extracting(List::size)
        .containsExactly(UsageWatch.MOST_AT_ONCE, UsageWatch.MOST_AT_ONCE, 1);
  }

  @Test
  void afterAReloadTheFiguresAreThere() {
    follow("r1", 0);
    tell(Duration.ZERO);
    watch.step();
    watch.follow(view.active(Attempt.class), view);
    assertThat(watch.figures()).hasSize(1);
    watch.follow(List.of(), view);
    assertThat(watch.figures()).isEmpty();
  }

  private MeasuredJob only() {
    assertThat(watch.figures()).hasSize(1);
    return watch.figures().getFirst();
  }

  private void tell(Duration processorTime) {
    use.put(ATTEMPT, new JobUsage(clock.instant(), processorTime, MEMORY, null));
  }

  private Attempt follow(String runId, int gpus) {
    Attempt running = attempt(runId, gpus).placedAt(Samples.BACKEND, 1).running(clock.instant());
    view.load(running);
    watch.follow(running, view);
    return running;
  }

  /** An attempt whose job the view has. */
  private Attempt attempt(String runId, int gpus) {
    JobSpec spec =
        new JobSpec(
            null,
            List.of("true"),
            null,
            Map.of(),
            List.of(),
            null,
            null,
            new JobSpec.Requirements(null, null, null, gpus, List.of(), null));
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
    Instant now = clock.instant();
    return Attempt.of(job, 1, runId + "-0-p1", now);
  }
}
