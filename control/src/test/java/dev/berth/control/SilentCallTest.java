package dev.berth.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.ledger.EntityKey;
import dev.berth.model.JobObservation;
import dev.berth.model.Resource;
import dev.berth.model.RunStatus;
import dev.berth.spi.Identity;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A backend that does not answer, and the threads that wait for it. */
final class SilentCallTest {
  /** Longer than the pause before the same is asked again. */
  private static final Duration PAUSE = Duration.ofMinutes(1);

  @TempDir Path folder;
  private ControlPlaneBench bench;

  /** How often each call that does not come back was interrupted. */
  private final Map<Thread, Integer> interruptions = new ConcurrentHashMap<>();

  private final Semaphore interrupted = new Semaphore(0);
  private final CountDownLatch answer = new CountDownLatch(1);

  /** When calls come back that were interrupted and did not mind. */
  private final CountDownLatch lateAnswer = new CountDownLatch(1);

  @BeforeEach
  void open() {
    bench = new ControlPlaneBench(Storage.IN_MEMORY, folder);
  }

  @AfterEach
  void nothingIsLeft() {
    answer.countDown();
    lateAnswer.countDown();
    bench.close();
    assertThat(ControlPlaneBench.threads()).isEmpty();
  }

  @Test
  void aCallThatDoesNotComeBackIsInterruptedAndMadeAgain() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    bench.runtime.duringStart =
        () -> {
          if (calls.incrementAndGet() == 1) {
            waitUntilInterrupted();
          }
        };
    bench.engine.start();
    bench.send(Samples.submit("r1", "hello"));
    bench.runtime.awaitCall("start r1-0-0-1");
    pass(Dispatcher.PATIENCE.minusMillis(1));
    assertThat(interruptions).as("its time is not over").isEmpty();

    pass(Duration.ofMillis(1));
    awaitInterruptions(1);
    assertThat(phase("r1")).as("asking again is safe").isEqualTo(Resource.State.ASKED);
    assertThat(bench.runtime.calls).isEmpty();
    pass(PAUSE);
    bench.runtime.awaitCall("start r1-0-0-1");
    bench.awaitRun("r1", run -> run.status() == RunStatus.RUNNING);
    assertThat(bench.runtime.started).containsExactly("r1-0-0-1");
    assertThat(interruptions.values()).containsExactly(1);
  }

  @Test
  void aStartThatDoesNotComeBackIsInDoubtWhereAskingAgainWouldMakeASecondOne() throws Exception {
    Identity.Lookup lookup = new Identity.Lookup(Duration.ofMinutes(1), Duration.ofMinutes(2));
    bench.runtime.identity = lookup;
    bench.runtime.duringStart = this::waitUntilInterrupted;
    bench.engine.start();
    bench.send(Samples.submit("r1", "hello"));
    bench.runtime.awaitCall("start r1-0-0-1");
    pass(Dispatcher.PATIENCE);
    awaitInterruptions(1);
    assertThat(phase("r1")).isEqualTo(Resource.State.IN_DOUBT);

    bench.runtime.duringStart = () -> {};
    pass(lookup.callDeadline().plus(lookup.visibleWithin()).minusMillis(1));
    assertThat(bench.runtime.calls).as("nothing is asked again").isEmpty();
    assertThat(phase("r1")).isEqualTo(Resource.State.IN_DOUBT);
    bench.runtime.become("r1-0-0-1", new JobObservation.Running(bench.clock.instant()));
    pass(Duration.ofMillis(1));
    bench.awaitRun("r1", run -> run.status() == RunStatus.RUNNING);
    assertThat(bench.runtime.calls).as("it was found").isEmpty();
  }

  @Test
  void noMoreCallsAreGivenUpThanMayBeOutstandingAndTheOthersAreWaitedFor() throws Exception {
    List<String> runs =
        IntStream.rangeClosed(0, Dispatcher.MOST_ABANDONED).mapToObj(i -> "r" + i).toList();
    bench.runtime.slots = runs.size();
    bench.runtime.duringStart = this::waitForTheAnswer;
    bench.engine.start();
    for (String run : runs) {
      bench.send(Samples.submit(run, run));
    }
    List<String> first = awaitStarts(runs.size());
    assertThat(first).doesNotHaveDuplicates();
    pass(Dispatcher.PATIENCE);
    awaitInterruptions(Dispatcher.MOST_ABANDONED);

    pass(PAUSE);
    List<String> again = awaitStarts(Dispatcher.MOST_ABANDONED);
    assertThat(again).doesNotHaveDuplicates().isSubsetOf(first);
    for (int i = 0; i < 3; i++) {
      pass(Dispatcher.PATIENCE.plus(PAUSE));
    }
    assertThat(bench.runtime.calls).as("nobody is called behind those that wait").isEmpty();
    assertThat(interruptions).hasSize(Dispatcher.MOST_ABANDONED);
    assertThat(interruptions.values()).containsOnly(1);

    // Those that were given up stay away, or others would be given up in their place.
    answer.countDown();
    for (String run : runs) {
      bench.awaitRun(run, one -> one.status() == RunStatus.RUNNING);
    }
    lateAnswer.countDown();
    for (Thread call : interruptions.keySet()) {
      assertThat(call.join(Duration.ofSeconds(30))).isTrue();
    }
    pass(PAUSE);
    assertThat(bench.engine.activeRuns()).isEqualTo(runs.size());
    assertThat(bench.runtime.calls).isEmpty();
    assertThat(bench.runtime.started)
        .containsExactlyInAnyOrderElementsOf(runs.stream().map(Samples::attemptId).toList());
  }

  /** Lets time pass, and waits until the engine has done what that brings. */
  private void pass(Duration time) throws Exception {
    bench.clock.pass(time);
    // What is due is handed over after the first answer and reported before the third.
    for (int i = 0; i < 3; i++) {
      bench.send(Samples.stop("nobody"));
    }
  }

  private Resource.State phase(String runId) {
    return ((Resource)
            Codec.entity(
                bench
                    .ledger
                    .find(LoopBench.REALM, new EntityKey("resource", Samples.attemptId(runId)))
                    .orElseThrow()
                    .row()))
        .phase();
  }

  private List<String> awaitStarts(int count) throws InterruptedException {
    List<String> calls = new ArrayList<>();
    while (calls.size() < count) {
      String call = bench.runtime.calls.poll(30, TimeUnit.SECONDS);
      assertThat(call).as("after %d calls", calls.size()).isNotNull().startsWith("start ");
      calls.add(call);
    }
    return calls;
  }

  private void awaitInterruptions(int count) throws InterruptedException {
    assertThat(interrupted.tryAcquire(count, 30, TimeUnit.SECONDS))
        .as("%d calls are interrupted", count)
        .isTrue();
  }

  private void waitUntilInterrupted() {
    try {
      answer.await();
    } catch (InterruptedException e) {
      noteInterruption();
      throw new IllegalStateException("nobody waits for this call any more", e);
    }
  }

  /** Waits for its answer whoever interrupts. */
  private void waitForTheAnswer() {
    CountDownLatch mine = answer;
    while (true) {
      try {
        mine.await();
        return;
      } catch (InterruptedException e) {
        noteInterruption();
        mine = lateAnswer;
      }
    }
  }

  private void noteInterruption() {
    interruptions.merge(Thread.currentThread(), 1, Integer::sum);
    interrupted.release();
  }
}
