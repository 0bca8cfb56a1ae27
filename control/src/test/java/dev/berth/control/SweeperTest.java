package dev.berth.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.decisions.Message;
import dev.berth.ledger.EntityKey;
import dev.berth.ledger.EntityRow;
import dev.berth.ledger.ForwardingLedger;
import dev.berth.ledger.Stored;
import dev.berth.model.Action;
import dev.berth.model.JobObservation;
import dev.berth.model.JobReason;
import dev.berth.spi.BackendException;
import dev.berth.spi.Owner;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Jobs that nobody needs, on a ledger that real decisions wrote. */
final class SweeperTest {
  private static final JobObservation RUNNING = new JobObservation.Running(Instant.EPOCH);
  private static final JobObservation PREPARED = new JobObservation.Prepared();

  @TempDir Path folder;
  private final FakeRuntime runtime = new FakeRuntime();
  private final List<Message.Swept> swept = new ArrayList<>();
  private final List<String> read = new ArrayList<>();
  private LoopBench bench;
  private Sweeper sweeper;

  @BeforeEach
  void open() {
    bench = new LoopBench(Storage.IN_MEMORY, folder);
    bench.settle(Samples.machine(500));
    sweeper =
        new Sweeper(
            Sweeper.Place.of(Samples.BACKEND, runtime),
            new Owner("tests"),
            new ReadLedger(),
            LoopBench.REALM,
            () -> 0,
            message -> swept.add((Message.Swept) message),
            Instruments.NONE,
            bench.clock.instant());
  }

  @AfterEach
  void close() {
    bench.close();
  }

  static List<JobObservation> living() {
    return List.of(RUNNING, PREPARED);
  }

  static List<JobObservation> over() {
    return List.of(Samples.exited(0, Instant.EPOCH), new JobObservation.Lost("gone"));
  }

  @ParameterizedTest
  @MethodSource("living")
  void aJobThatLivesThoughItsAttemptEndedIsKilled(JobObservation living) {
    ended("r1");
    runtime.become("r1-0-0-1", living);
    bench.handedOver.clear();
    bench.settle(sweep());
    assertThat(bench.handedOver)
        .singleElement()
        .satisfies(
            kill -> {
              assertThat(kill.type()).isEqualTo(Action.Type.KILL_JOB);
              assertThat(kill.resourceId()).startsWith("r1-0-0-1~");
            });
    assertThat(bench.attempt("r1").reason()).isEqualTo(JobReason.DONE_BY_RUNNER);
  }

  @ParameterizedTest
  @MethodSource("living")
  void aJobWhoseAttemptGoesOnIsLeftAlone(JobObservation living) {
    bench.running("r1");
    runtime.become("r1-0-0-1", living);
    runtime.duringLook = SweeperTest::nobodyLooks;
    bench.handedOver.clear();
    Message.Swept nothing = sweep();
    assertThat(nothing).isEqualTo(new Message.Swept(Samples.BACKEND, List.of()));
    bench.settle(nothing);
    assertThat(bench.handedOver).isEmpty();
  }

  @Test
  void aJobWhoseStartIsUnderWayIsLeftAlone() {
    bench.settle(Samples.submit("r1", "r1"));
    runtime.become("r1-0-0-1", RUNNING);
    assertThat(sweep()).isEqualTo(new Message.Swept(Samples.BACKEND, List.of()));
  }

  @Test
  void aJobIsToldUntilItDoesNotRunAnyMore() {
    ended("r1");
    runtime.become("r1-0-0-1", RUNNING);
    assertThat(sweep().doubled()).containsExactly("r1-0-0-1");
    assertThat(sweep().doubled()).as("the kill may have been lost").containsExactly("r1-0-0-1");
    runtime.kill("r1-0-0-1");
    assertThat(sweep().doubled()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("over")
  void aJobThatIsOverIsNotToldAndNotLookedAtAgain(JobObservation over) {
    ended("r1");
    runtime.become("r1-0-0-1", over);
    assertThat(sweep().doubled()).isEmpty();
    runtime.duringLook = SweeperTest::nobodyLooks;
    assertThat(sweep().doubled()).isEmpty();
  }

  @Test
  void aJobThatWasNotThereYetIsLookedAtAgain() {
    ended("r1");
    runtime.become("r1-0-0-1", new JobObservation.Absent());
    assertThat(sweep().doubled()).isEmpty();
    runtime.become("r1-0-0-1", RUNNING);
    assertThat(sweep().doubled()).containsExactly("r1-0-0-1");
  }

  @Test
  void aJobThatWasListedNoMoreIsLookedAtWhenItIsBack() {
    ended("r1");
    runtime.become("r1-0-0-1", Samples.exited(0, Instant.EPOCH));
    sweep();
    runtime.remove("r1-0-0-1");
    sweep();
    runtime.become("r1-0-0-1", RUNNING);
    assertThat(sweep().doubled()).containsExactly("r1-0-0-1");
  }

  @Test
  void whatCannotBeSeenIsToldByTheNextLook() {
    ended("r1");
    runtime.become("r1-0-0-1", RUNNING);
    runtime.duringLook =
        () -> {
          throw new BackendException.Transient("no answer", null);
        };
    assertThat(sweep().doubled()).isEmpty();
    runtime.duringLook = () -> {};
    assertThat(sweep().doubled()).containsExactly("r1-0-0-1");
  }

  @Test
  void manyAreLookedAtInParts() {
    List<String> keys =
        IntStream.range(0, 201)
            .mapToObj(number -> "r" + number)
            .map(this::endedAndRunning)
            .toList();
    List<String> looks = new ArrayList<>();
    runtime.duringLook = () -> looks.add("a look");
    assertThat(sweep().doubled()).containsExactlyInAnyOrderElementsOf(keys);
    assertThat(looks).hasSize(3);
  }

  @Test
  void nobodyIsSweptBeforeItIsTime() {
    endedAndRunning("r1");
    sweeper.step(bench.clock.instant().minusMillis(1));
    assertThat(swept).isEmpty();
    sweep();
    sweeper.step(bench.clock.instant().minusMillis(1));
    assertThat(swept).hasSize(1);
    assertThat(sweeper.next(Instant.EPOCH)).contains(bench.clock.instant());
  }

  @Test
  void jobsOfOneKeyAreToldOnceWhereItsAttemptEndedAndAlwaysWhereItGoesOn() {
    ended("r1");
    bench.running("r2");
    for (String key : List.of("r1-0-0-1", "r2-0-0-1")) {
      runtime.become(key, Samples.exited(0, Instant.EPOCH));
      runtime.doubles.add(key);
    }
    assertThat(sweep().doubled()).containsExactly("r1-0-0-1", "r2-0-0-1");
    assertThat(sweep().doubled()).containsExactly("r2-0-0-1");
  }

  @Test
  void aJobThatNobodyKnowsIsAStrangerAndNotKilledAtOnce() {
    runtime.become("r9-0-0-1", RUNNING);
    runtime.doubles.add("r9-0-0-1");
    Message.Swept found = sweep();
    assertThat(found.strangers())
        .extracting(Message.Swept.Stranger::key)
        .containsExactly("r9-0-0-1");
    assertThat(found.doubled()).isEmpty();
  }

  @Test
  void aJobOfADeletedRunIsNobodysWhenItsRemovalIsOver() {
    ended("r1");
    runtime.become("r1-0-0-1", Samples.exited(0, Instant.EPOCH));
    bench.settle(new Message.Delete(bench.run("r1"), List.of(bench.attempt("r1")), "ann"));
    assertThat(sweep().strangers()).as("its removal is under way").isEmpty();
    bench.worked("r1", "remove");
    assertThat(sweep().strangers()).hasSize(1);
  }

  @Test
  void theAttemptOfEveryJobIsReadOnce() {
    endedAndRunning("r1");
    runtime.doubles.add("r1-0-0-1");
    bench.running("r2");
    runtime.become("r2-0-0-1", RUNNING);
    runtime.become("r9-0-0-1", RUNNING);
    sweep();
    assertThat(read)
        .containsExactlyInAnyOrder("attempt r1-0-0-1", "attempt r2-0-0-1", "attempt r9-0-0-1");
  }

  private static void nobodyLooks() {
    throw new AssertionError("a job was looked at");
  }

  /** A run that ended, with what its job is now left to the test. */
  private void ended(String runId) {
    bench.running(runId);
    bench.observe(runId, Samples.exited(0, bench.clock.instant()));
    assertThat(bench.attempt(runId).active()).isFalse();
  }

  private String endedAndRunning(String runId) {
    ended(runId);
    runtime.become(Samples.attemptId(runId), RUNNING);
    return Samples.attemptId(runId);
  }

  /** Looks now; it is time for the next look afterwards. */
  private Message.Swept sweep() {
    int before = swept.size();
    sweeper.step(bench.clock.instant());
    bench.clock.pass(Sweeper.EVERY);
    assertThat(swept).hasSize(before + 1);
    return swept.getLast();
  }

  /** Remembers what was looked up. */
  private final class ReadLedger extends ForwardingLedger {
    ReadLedger() {
      super(bench.ledger);
    }

    @Override
    public Optional<Stored<EntityRow>> find(String realm, EntityKey key) {
      read.add(key.kind() + " " + key.id());
      return super.find(realm, key);
    }
  }
}
