package dev.berth.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.decisions.Reply;
import dev.berth.ledger.FencedException;
import dev.berth.model.JobObservation;
import dev.berth.model.JobReason;
import dev.berth.model.JobStatus;
import dev.berth.model.Run;
import dev.berth.model.RunReason;
import dev.berth.model.RunStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** All parts together, with their threads. */
@ParameterizedClass
@EnumSource(Storage.class)
final class EngineTest {
  private final Storage storage;
  @TempDir Path folder;
  private ControlPlaneBench bench;

  EngineTest(Storage storage) {
    this.storage = storage;
  }

  @BeforeEach
  void open() {
    bench = new ControlPlaneBench(storage, folder);
  }

  @AfterEach
  void nothingIsLeft() {
    bench.close();
    assertThat(ControlPlaneBench.threads()).isEmpty();
    assertThat(bench.runtime.watchers()).isZero();
    assertThat(bench.runtime.closed.get()).isPositive();
  }

  @Test
  void aTaskRunsToItsEnd() throws Exception {
    bench.engine.start();
    assertThat(bench.send(Samples.submit("r1", "hello")))
        .isEqualTo(new Reply.Accepted("r1", "hello"));
    bench.awaitRun("r1", run -> run.status() == RunStatus.RUNNING);
    assertThat(bench.engine.activeRuns()).isEqualTo(1);
    bench.runtime.end("r1-0-0-1", 3, JobObservation.Cause.EXITED);

    Run run = bench.awaitEnd("r1");
    assertThat(run.status()).isEqualTo(RunStatus.FAILED);
    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(bench.runtime.calls).containsExactly("start r1-0-0-1");
    bench.awaitNewest();
    assertThat(bench.engine.activeRuns()).isZero();
    assertThat(bench.engine.unfinishedActions()).isZero();
  }

  @Test
  void anEndThatNobodyRingsForIsSeen() throws Exception {
    bench.runtime.duringStart =
        () -> bench.runtime.become("r1-0-0-1", Samples.exited(0, Instant.EPOCH));
    bench.engine.start();
    bench.send(Samples.submit("r1", "hello"));
    assertThat(bench.awaitEnd("r1").status()).isEqualTo(RunStatus.DONE);
  }

  @Test
  void aStopReachesTheMachine() throws Exception {
    bench.engine.start();
    bench.send(Samples.submit("r1", "hello"));
    bench.awaitRun("r1", run -> run.status() == RunStatus.RUNNING);
    bench.send(Samples.stop("hello"));
    assertThat(bench.awaitEnd("r1").reason()).isEqualTo(RunReason.STOPPED_BY_USER);
    assertThat(bench.runtime.calls).containsExactly("start r1-0-0-1", "stop r1-0-0-1 PT5M");
  }

  @Test
  void jobsAreStartedAtTheSameTimeAndOneJobsCallsOneAfterTheOther() throws Exception {
    CountDownLatch goOn = new CountDownLatch(1);
    bench.runtime.duringStart = () -> FakeRuntime.await(goOn);
    bench.engine.start();
    bench.send(Samples.submit("r1", "one"));
    bench.runtime.awaitCall("start r1-0-0-1");
    bench.send(Samples.submit("r2", "two"));
    bench.runtime.awaitCall("start r2-0-0-1");
    bench.send(Samples.abort("one"));
    assertThat(bench.runtime.calls).as("the kill waits for the start").isEmpty();
    goOn.countDown();
    bench.runtime.awaitCall("kill r1-0-0-1");
    assertThat(bench.awaitEnd("r1").reason()).isEqualTo(RunReason.ABORTED_BY_USER);
    bench.awaitRun("r2", run -> run.status() == RunStatus.RUNNING);
  }

  @Test
  void aRestartedEngineAdoptsWhatRuns() throws Exception {
    bench.engine.start();
    bench.send(Samples.submit("r1", "goes-on"));
    bench.send(Samples.submit("r2", "ends-alone"));
    for (String run : List.of("r1", "r2")) {
      bench.awaitRun(run, one -> one.status() == RunStatus.RUNNING);
    }
    bench.engine.close();
    bench.runtime.become("r2-0-0-1", Samples.exited(0, Instant.EPOCH));
    bench.restart();

    assertThat(bench.awaitEnd("r2").status()).isEqualTo(RunStatus.DONE);
    assertThat(bench.attempt("r1").status()).isEqualTo(JobStatus.RUNNING);
    bench.runtime.end("r1-0-0-1", 0, JobObservation.Cause.EXITED);
    assertThat(bench.awaitEnd("r1").status()).isEqualTo(RunStatus.DONE);
    assertThat(bench.runtime.started).containsExactlyInAnyOrder("r1-0-0-1", "r2-0-0-1");
  }

  @Test
  void aStartThatWasUnderWayAtTheRestartHappensOnce() throws Exception {
    CountDownLatch goOn = new CountDownLatch(1);
    bench.runtime.duringStart = () -> FakeRuntime.await(goOn);
    bench.engine.start();
    bench.send(Samples.submit("r1", "hello"));
    bench.runtime.awaitCall("start r1-0-0-1");
    bench.restart();
    bench.runtime.awaitCall("start r1-0-0-1");
    goOn.countDown();
    bench.awaitRun("r1", run -> run.status() == RunStatus.RUNNING);
    bench.runtime.end("r1-0-0-1", 0, JobObservation.Cause.EXITED);
    assertThat(bench.awaitEnd("r1").status()).isEqualTo(RunStatus.DONE);
    assertThat(bench.runtime.started).containsExactly("r1-0-0-1");
  }

  @Test
  void anEndThatWasInALostCommitIsToldOnceMore() throws Exception {
    bench.engine.start();
    bench.send(Samples.submit("r1", "hello"));
    bench.awaitRun("r1", run -> run.status() == RunStatus.RUNNING);
    bench.ledger.nextCommit = WatchedLedger.Fate.UNKNOWN_LOST;
    bench.runtime.end("r1-0-0-1", 7, JobObservation.Cause.EXITED);
    assertThat(bench.awaitEnd("r1").exitCode()).isEqualTo(7);
  }

  @Test
  void aJobThatDiesWithoutAWordIsFoundEvenWhileAnotherOneRingsAllTheTime() throws Exception {
    bench.engine.start();
    bench.send(Samples.submit("r1", "quiet"));
    bench.send(Samples.submit("r2", "loud"));
    bench.awaitRun("r1", run -> run.status() == RunStatus.RUNNING);
    bench.awaitRun("r2", run -> run.status() == RunStatus.RUNNING);
    bench.runtime.duringLook = () -> bench.runtime.ring("r2-0-0-1");
    bench.runtime.ring("r2-0-0-1");
    bench.runtime.become("r1-0-0-1", new JobObservation.Lost("the runner is gone"));
    bench.clock.pass(Duration.ofMinutes(1));
    bench.awaitEnd("r1");
    bench.runtime.duringLook = () -> {};
    assertThat(bench.attempt("r1").reason()).isEqualTo(JobReason.EXECUTOR_ERROR);
    assertThat(bench.runtime.calls).contains("kill r1-0-0-1");
  }

  @Test
  void whatIsAskedOfAMissingBackendIsDoneWhenItIsBack() throws Exception {
    bench.engine.start();
    bench.send(Samples.submit("r1", "hello"));
    bench.awaitRun("r1", run -> run.status() == RunStatus.RUNNING);
    bench.restart(Map.of());
    bench.send(Samples.stop("hello"));
    bench.awaitRun("r1", _ -> bench.attempt("r1").message() != null);
    assertThat(bench.attempt("r1").message())
        .contains("which is not open; if it was removed, add it again");
    assertThat(bench.runtime.calls).containsExactly("start r1-0-0-1");

    bench.engine.add(Samples.BACKEND, bench.runtime);
    assertThat(bench.awaitEnd("r1").reason()).isEqualTo(RunReason.STOPPED_BY_USER);
    assertThat(bench.runtime.calls).containsExactly("start r1-0-0-1", "stop r1-0-0-1 PT5M");
  }

  @Test
  void aBackendThatIsInUseIsKeptAndAnotherOneIsLetGo() throws Exception {
    bench.engine.start();
    bench.send(Samples.submit("r1", "hello"));
    bench.awaitRun("r1", run -> run.status() == RunStatus.RUNNING);
    assertThat(bench.engine.remove(Samples.BACKEND, "ann")).isPresent();
    assertThat(bench.runtime.closed.get()).isZero();
    bench.runtime.end("r1-0-0-1", 0, JobObservation.Cause.EXITED);
    bench.awaitEnd("r1");
    assertThat(bench.engine.remove(Samples.BACKEND, "ann")).isEmpty();
    assertThat(bench.engine.backends()).isEmpty();
    assertThat(bench.runtime.closed.get()).isEqualTo(1);
    assertThat(bench.runtime.watchers()).isZero();
  }

  @Test
  void anEngineThatWasTakenOverSaysSo() throws Exception {
    bench.engine.start();
    bench.send(Samples.submit("r1", "hello"));
    bench.awaitRun("r1", run -> run.status() == RunStatus.RUNNING);
    bench.ledger.inner().takeOver(LoopBench.REALM, "another server");
    bench.runtime.end("r1-0-0-1", 0, JobObservation.Cause.EXITED);
    assertThat(bench.engine.failure().get(30, TimeUnit.SECONDS))
        .isInstanceOf(FencedException.class);
    assertThat(bench.attempt("r1").status()).isEqualTo(JobStatus.RUNNING);
  }

  @Test
  void aFullMailboxRefusesAtOnce() {
    for (int i = 0; i < ControlLoop.MAILBOX; i++) {
      assertThat(bench.engine.send(Envelope.of(Samples.stop("nobody")))).isNotDone();
    }
    assertThatThrownBy(() -> bench.send(Samples.stop("nobody")))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(MailboxFullException.class);
  }
}
