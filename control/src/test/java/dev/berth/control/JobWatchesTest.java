package dev.berth.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.JobObservation;
import dev.berth.model.Resource;
import dev.berth.model.ResourceType;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class JobWatchesTest {
  private static final JobObservation RUNNING = new JobObservation.Running(Instant.EPOCH);

  private final FakeRuntime runtime = new FakeRuntime();
  private final List<String> told = new ArrayList<>();
  private final JobWatches watches =
      new JobWatches(
          Samples.BACKEND,
          () -> runtime,
          job -> job.backend().equals(Samples.BACKEND),
          (id, observation) -> told.add(id + " " + observation.getClass().getSimpleName()),
          id -> told.add(id + " unseen"));

  @Test
  void eachChangeIsToldOnce() {
    runtime.become("a1", RUNNING);
    follow(resource("a1", Resource.State.PRESENT));
    assertThat(watches.step()).isEqualTo(1);
    assertThat(watches.step()).isZero();
    watches.signal("a1");
    watches.signal("a1");
    assertThat(watches.step()).isEqualTo(1);
    assertThat(told).containsExactly("a1 Running");

    runtime.become("a1", Samples.exited(0, Instant.EPOCH));
    watches.signal("a1");
    watches.step();
    watches.signalAll();
    watches.step();
    assertThat(told).containsExactly("a1 Running", "a1 Exited");
  }

  @Test
  void whatTheViewHasAtThisBackendIsFollowed() {
    Stream.of("a1", "a2", "a3", "a4").forEach(id -> runtime.become(id, RUNNING));
    follow(
        resource("a1", Resource.State.ASKED),
        resource("a2", Resource.State.LEAVING),
        resource("a3", Resource.State.INTENDED),
        new Resource(
            "a4",
            Samples.PROJECT,
            "a4",
            "elsewhere",
            ResourceType.JOB,
            Resource.State.PRESENT,
            null,
            null,
            null));
    assertThat(watches.step()).isEqualTo(2);
    assertThat(told).containsExactlyInAnyOrder("a1 Running", "a2 Running");

    follow(resource("a2", Resource.State.LEAVING));
    watches.signal("a1");
    watches.signalAll();
    assertThat(watches.step()).isEqualTo(1);
    follow();
    watches.signalAll();
    assertThat(watches.step()).isZero();
  }

  @Test
  void allAreLookedAtAgainWhenNobodyRingsForAWhile() throws InterruptedException {
    runtime.become("a1", RUNNING);
    follow(resource("a1", Resource.State.PRESENT));
    watches.awaitSignal(Duration.ofDays(1));
    watches.step();
    runtime.become("a1", new JobObservation.Lost("the runner is gone"));
    watches.awaitSignal(Duration.ZERO);
    assertThat(watches.step()).isEqualTo(1);
    assertThat(told).containsExactly("a1 Running", "a1 Lost");
  }

  @Test
  void theBackendRingsUntilItIsClosed() throws Exception {
    runtime.become("a1", RUNNING);
    try (AutoCloseable _ = watches.open()) {
      follow(resource("a1", Resource.State.PRESENT));
      watches.step();
      runtime.end("a1", 0, JobObservation.Cause.EXITED);
      watches.awaitSignal(Duration.ofDays(1));
      watches.step();
    }
    assertThat(told).containsExactly("a1 Running", "a1 Exited");
    assertThat(runtime.watchers()).isZero();
  }

  @Test
  void aJobMayBeAbsentUntilItsStartWasReported() {
    follow(resource("a1", Resource.State.ASKED));
    watches.step();
    assertThat(told).isEmpty();
    follow(resource("a1", Resource.State.PRESENT));
    assertThat(watches.step()).as("looked at again, because now it matters").isEqualTo(1);
    assertThat(told).containsExactly("a1 Absent");
  }

  @Test
  void aJobThatWasAbsentBeforeItsStartAndIsToldAfterItIsNotCalledAbsent() {
    follow(resource("a1", Resource.State.ASKED));
    runtime.duringLook =
        () -> {
          runtime.duringLook = () -> {};
          runtime.become("a1", RUNNING);
          follow(resource("a1", Resource.State.PRESENT));
        };
    watches.step();
    assertThat(told).isEmpty();
    watches.step();
    assertThat(told).containsExactly("a1 Running");
  }

  @Test
  void aJobThatIsNotShownIsAbsentWhenItMustHaveBeenShown() {
    JobWatches lagging =
        new JobWatches(
            Samples.BACKEND,
            () -> runtime,
            job -> job.backend().equals(Samples.BACKEND),
            (id, observation) -> told.add(id + " " + observation.getClass().getSimpleName()),
            id -> told.add(id + " unseen"),
            Duration.ofSeconds(12));
    lagging.follow(resource("a1", Resource.State.PRESENT));
    lagging.follow(resource("a2", Resource.State.PRESENT));
    Instant now = Instant.EPOCH;
    for (int i = 0; i < 3; i++) {
      lagging.step(now);
      now = now.plusSeconds(5);
    }
    assertThat(told).as("they were started, and may be shown later").isEmpty();
    runtime.become("a2", RUNNING);
    lagging.step(now);
    assertThat(told).containsExactlyInAnyOrder("a1 Absent", "a2 Running");
  }

  @Test
  void afterAReloadEverythingIsToldOnceMore() throws InterruptedException {
    runtime.become("a1", RUNNING);
    follow(resource("a1", Resource.State.PRESENT));
    watches.step();
    watches.forget();
    watches.awaitSignal(Duration.ofDays(1));
    watches.step();
    assertThat(told).containsExactly("a1 Running", "a1 Running");
  }

  @Test
  void aLookThatFailsIsRepeatedWithTheNextLookAtAll() {
    runtime.become("a1", RUNNING);
    runtime.duringLook =
        () -> {
          throw new IllegalStateException("unplugged");
        };
    follow(resource("a1", Resource.State.PRESENT));
    assertThatThrownBy(watches::step).isInstanceOf(IllegalStateException.class);
    runtime.duringLook = () -> {};
    watches.signalAll();
    watches.step();
    assertThat(told).containsExactly("a1 Running");
  }

  @Test
  void oneChangeAfterTheOtherComesToTheSameAsTheWholeView() {
    Stream.of("a1", "a2").forEach(id -> runtime.become(id, RUNNING));
    watches.follow(resource("a1", Resource.State.ASKED));
    watches.follow(resource("a2", Resource.State.INTENDED));
    assertThat(watches.step()).isEqualTo(1);
    watches.follow(resource("a1", Resource.State.PRESENT));
    assertThat(watches.step()).as("its start is news").isEqualTo(1);
    watches.follow(resource("a1", Resource.State.LEAVING));
    assertThat(watches.step()).as("that it leaves is not").isZero();

    watches.follow(resource("a1", Resource.State.GONE));
    watches.follow(resource("a2", Resource.State.PRESENT));
    watches.unfollow(resource("a2", Resource.State.PRESENT));
    watches.step();
    watches.signal("a1");
    watches.signalAll();
    assertThat(watches.step()).isZero();
  }

  @Test
  void whatIsElsewhereIsNotFollowedByOneChangeEither() {
    watches.follow(
        new Resource(
            "a4",
            Samples.PROJECT,
            "a4",
            "elsewhere",
            ResourceType.JOB,
            Resource.State.PRESENT,
            null,
            null,
            null));
    watches.signalAll();
    assertThat(watches.step()).isZero();
  }

  @Test
  void whatEndedDuringALookIsForgotten() {
    runtime.become("a1", RUNNING);
    follow(resource("a1", Resource.State.PRESENT));
    runtime.duringLook = () -> watches.follow(resource("a1", Resource.State.GONE));
    watches.step();
    runtime.duringLook = () -> {};
    // Were the look remembered, the same would not be told again.
    follow(resource("a1", Resource.State.PRESENT));
    watches.step();
    assertThat(told).containsExactly("a1 Running", "a1 Running");
  }

  private void follow(Resource... resources) {
    ActiveSet view = new ActiveSet();
    Stream.of(resources).forEach(resource -> view.load(Codec.row(resource, null)));
    watches.follow(view);
  }

  private static Resource resource(String attemptId, Resource.State phase) {
    return new Resource(
        attemptId,
        Samples.PROJECT,
        attemptId,
        Samples.BACKEND,
        ResourceType.JOB,
        phase,
        null,
        null,
        null);
  }
}
