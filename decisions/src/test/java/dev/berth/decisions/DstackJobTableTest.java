package dev.berth.decisions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.Action;
import dev.berth.model.ActionOutcome;
import dev.berth.model.Attempt;
import dev.berth.model.Instance;
import dev.berth.model.InstanceReason;
import dev.berth.model.JobObservation;
import dev.berth.model.JobReason;
import dev.berth.model.JobStatus;
import dev.berth.model.Operation;
import dev.berth.model.Resource;
import dev.berth.model.ResourceObservation;
import dev.berth.model.RunStatus;
import dev.berth.model.config.SpotPolicy;
import dev.berth.model.config.StartupOrder;
import dev.berth.model.config.UtilizationPolicy;
import dev.berth.planning.testing.TaskBuilder;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The states of attempts, row by row of section 2.2 of the reference. */
final class DstackJobTableTest {
  @Test
  void everyReasonHasItsEnd() {
    List<JobReason> terminated =
        List.of(
            JobReason.TERMINATED_BY_USER,
            JobReason.TERMINATED_BY_SERVER,
            JobReason.INACTIVITY_DURATION_EXCEEDED,
            JobReason.TERMINATED_DUE_TO_UTILIZATION_POLICY,
            JobReason.MAX_DURATION_EXCEEDED);
    assertThat(Arrays.asList(JobReason.values()))
        .allSatisfy(
            reason -> {
              JobStatus end =
                  reason == JobReason.DONE_BY_RUNNER
                      ? JobStatus.DONE
                      : reason == JobReason.ABORTED_BY_USER
                          ? JobStatus.ABORTED
                          : terminated.contains(reason) ? JobStatus.TERMINATED : JobStatus.FAILED;
              assertThat(reason.end()).as("the end of %s", reason).isEqualTo(end);
            });
  }

  @TestFactory
  Stream<DynamicTest> rows() {
    return new DstackTable(
            "submitted, assignment",
            "submitted, reuse or offers",
            "submitted, no offers",
            "submitted, no fleet",
            "submitted, fleet full",
            "submitted, volume or secret error",
            "submitted, deferred behind the master",
            "provisioning, host unknown",
            "provisioning, machine terminated",
            "provisioning on a machine, all ready",
            "provisioning of a container",
            "provisioning, too long",
            "pulling, running",
            "pulling, terminated",
            "unreachable",
            "running, reported end",
            "running, inactivity or utilisation",
            "running, gateway or import",
            "terminating, graceful",
            "terminating, freed",
            "terminating, volumes stuck")
        .different(
            "submitted, assignment",
            "an allocation in the same decision, without a placeholder machine",
            DstackJobTableTest::assigned)
        .row("submitted, reuse or offers", DstackJobTableTest::reusedOrBought)
        .row("submitted, no offers", DstackJobTableTest::noOffers)
        .different(
            "submitted, no fleet",
            "a run needs no fleet, a temporary one is made",
            DstackJobTableTest::noFleet)
        .different(
            "submitted, fleet full", "it waits instead of failing", DstackJobTableTest::fleetFull)
        .absent("submitted, volume or secret error", "there are no volumes and secrets yet")
        .different(
            "submitted, deferred behind the master",
            "all members are placed in one decision",
            DstackJobTableTest::together)
        .row("provisioning, host unknown", DstackJobTableTest::hostUnknown)
        .different(
            "provisioning, machine terminated",
            "the next offer is tried before anything fails",
            DstackJobTableTest::machineTerminated)
        .row("provisioning on a machine, all ready", DstackJobTableTest::allReady)
        .row("provisioning of a container", DstackJobTableTest::container)
        .different(
            "provisioning, too long",
            "counted from the order of the machine, and the next offer is tried",
            DstackJobTableTest::tooLong)
        .absent("pulling, running", "there is no shim yet; a start that is reported is the start")
        .different(
            "pulling, terminated",
            "the start says what went wrong",
            DstackJobTableTest::startFailed)
        .row("unreachable", DstackJobTableTest::unreachable)
        .row("running, reported end", DstackJobTableTest::reportedEnd)
        .different(
            "running, inactivity or utilisation",
            "stopped in order for utilisation; there are no dev environments yet",
            DstackJobTableTest::underused)
        .absent("running, gateway or import", "there are no gateways and imports yet")
        .different(
            "terminating, graceful",
            "on every path and for stop_duration, not only when the run is stopped and for 10 s",
            DstackJobTableTest::graceful)
        .row("terminating, freed", DstackJobTableTest::freed)
        .absent("terminating, volumes stuck", "there are no volumes yet")
        .tests();
  }

  private static void assigned() {
    Scenario scenario = Cloud.selling(Offers.machine("fair", 1));
    String run = scenario.submit("hello");
    Attempt attempt = scenario.attempt(run);
    assertThat(attempt.status()).isEqualTo(JobStatus.PROVISIONING);
    assertThat(scenario.machineOf(run, 0).allocations()).containsOnlyKeys(attempt.id());
    assertThat(scenario.memory.find(Resource.class, scenario.machineOf(run, 0).id()))
        .as("every machine is something that the provider is asked for")
        .isPresent();
  }

  private static void reusedOrBought() {
    Scenario scenario = Cloud.selling(Offers.machine("fair", 1));
    Cloud cloud = new Cloud(scenario);
    String first = scenario.submit("first");
    String second = scenario.submit("second");
    cloud.run();
    assertThat(cloud.machines).hasSize(2);
    scenario.exit(first, 0, 0);
    String third = scenario.submit("third");
    assertThat(scenario.attempt(third).instanceId())
        .isEqualTo(scenario.attempt(first).instanceId());
    assertThat(scenario.run(second).status()).isEqualTo(RunStatus.RUNNING);
  }

  private static void noOffers() {
    Scenario scenario = Cloud.selling(Offers.machine("fair", 1));
    String run = scenario.submit("hello", TaskBuilder.task().cpus(64));
    assertThat(scenario.attempt(run).reason())
        .isEqualTo(JobReason.FAILED_TO_START_DUE_TO_NO_CAPACITY);
    assertThat(scenario.attempt(run).status()).isEqualTo(JobStatus.FAILED);
  }

  private static void noFleet() {
    Scenario scenario = Cloud.selling(Offers.machine("fair", 1));
    String run = scenario.submit("hello");
    assertThat(scenario.fleet(run + "-f").temporary()).isTrue();
  }

  private static void fleetFull() {
    Scenario scenario = Cloud.selling(Offers.machine("fair", 1));
    scenario.applyFleet("pool", Offers.fleet(0, 0, 1));
    scenario.submit("first");
    String second = scenario.submit("second");
    assertThat(scenario.run(second).status()).isEqualTo(RunStatus.SUBMITTED);
  }

  private static void together() {
    Scenario scenario = Cloud.selling(Offers.machine("fair", 1));
    String run = scenario.submit("hello", TaskBuilder.task().nodes(3));
    assertThat(scenario.memory.unfinishedActions())
        .hasSize(3)
        .allMatch(action -> action.type() == Action.Type.CREATE);
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.PROVISIONING);
  }

  private static void hostUnknown() {
    Scenario scenario = Cloud.selling(Offers.machine("fair", 1));
    Cloud cloud = new Cloud(scenario);
    String run = scenario.submit("hello");
    cloud.answer();
    cloud.observation(scenario.machineOf(run, 0).id(), ResourceObservation.State.CREATING);
    assertThat(scenario.attempt(run).status()).isEqualTo(JobStatus.PROVISIONING);
    assertThat(scenario.memory.unfinishedActions()).isEmpty();
  }

  private static void machineTerminated() {
    Scenario scenario = Cloud.selling(Offers.machine("fair", 1), Offers.machine("dear", 2));
    Cloud cloud = new Cloud(scenario);
    String run = scenario.submit("hello");
    cloud.answer();
    cloud.take(scenario.machineOf(run, 0).id());
    cloud.run();
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.RUNNING);
    assertThat(cloud.asked).containsExactly("fair@eu-1", "dear@eu-1");
  }

  private static void allReady() {
    Scenario scenario = Cloud.selling(Offers.machine("fair", 1));
    Cloud cloud = new Cloud(scenario);
    TaskBuilder task = TaskBuilder.task().nodes(2);
    task.startupOrder = StartupOrder.MASTER_FIRST;
    String run = scenario.submit("hello", task);
    cloud.answer();
    cloud.observation(scenario.machineOf(run, 0).id(), ResourceObservation.State.READY);
    assertThat(scenario.memory.unfinishedActions()).isEmpty();
    cloud.observation(scenario.machineOf(run, 1).id(), ResourceObservation.State.READY);
    assertThat(scenario.memory.unfinishedActions()).hasSize(1);
    cloud.answer();
    assertThat(scenario.attempt(run, 1).status()).isEqualTo(JobStatus.RUNNING);
  }

  private static void container() {
    Scenario scenario = Cloud.selling(Offers.container("box", 1));
    String run = scenario.submit("hello");
    assertThat(scenario.attempt(run).instanceId()).isNull();
    scenario.startWorked(run);
    assertThat(scenario.attempt(run).status()).isEqualTo(JobStatus.RUNNING);
  }

  private static void tooLong() {
    Scenario scenario = Cloud.selling(Offers.machine("fair", 1), Offers.machine("dear", 2));
    Cloud cloud = new Cloud(scenario);
    scenario.applyFleet("pool", Offers.fleet(0, 0, 1));
    String first = scenario.submit("first");
    String second = scenario.submit("second");
    cloud.run();
    scenario.pass(Duration.ofHours(3));
    scenario.exit(first, 0, 0);
    cloud.answer();
    assertThat(scenario.attempt(second).status()).as("it only waited").isEqualTo(JobStatus.RUNNING);
    String third = scenario.submit("third", TaskBuilder.task().inFleet("pool"));
    cloud.take(scenario.machineOf(second, 0).id());
    cloud.answer();
    scenario.pass(Duration.ofMinutes(10));
    cloud.run();
    assertThat(scenario.attempt(third).status()).isEqualTo(JobStatus.RUNNING);
    assertThat(scenario.attempts(third, 0)).hasSize(2);
  }

  private static void startFailed() {
    Scenario scenario = Scenario.with(Machines.large("m1"));
    String run = scenario.submit("hello");
    scenario.failed(run, Action.Type.START_JOB, "no such image", false);
    new Cloud(scenario).answer();
    assertThat(scenario.attempt(run).reason()).isEqualTo(JobReason.CREATING_CONTAINER_ERROR);
    assertThat(scenario.run(run).message()).isEqualTo("no such image");
  }

  private static void unreachable() {
    for (boolean spot : List.of(true, false)) {
      Scenario scenario =
          Cloud.selling(spot ? Offers.spotMachine("one", 1) : Offers.machine("one", 1));
      Cloud cloud = new Cloud(scenario);
      String run = scenario.submit("hello", TaskBuilder.task().spot(SpotPolicy.AUTO));
      cloud.run();
      scenario.tell(new Message.Unseen(scenario.attempt(run).id()));
      scenario.pass(Duration.ofMinutes(2));
      cloud.answer();
      assertThat(scenario.attempt(run).reason())
          .isEqualTo(spot ? JobReason.INTERRUPTED_BY_NO_CAPACITY : JobReason.INSTANCE_UNREACHABLE);
    }
  }

  private static void reportedEnd() {
    record End(JobObservation.Cause cause, int code, JobReason reason) {}
    for (End end :
        List.of(
            new End(JobObservation.Cause.EXITED, 0, JobReason.DONE_BY_RUNNER),
            new End(JobObservation.Cause.EXITED, 3, JobReason.CONTAINER_EXITED_WITH_ERROR),
            new End(JobObservation.Cause.OUT_OF_MEMORY, 137, JobReason.CONTAINER_EXITED_WITH_ERROR),
            new End(
                JobObservation.Cause.MAX_DURATION_EXCEEDED, 143, JobReason.MAX_DURATION_EXCEEDED),
            new End(JobObservation.Cause.INTERRUPTED, 143, JobReason.INTERRUPTED_BY_NO_CAPACITY))) {
      Scenario scenario = Scenario.with(Machines.large("m1"));
      String run = scenario.running("hello");
      scenario.observe(run, scenario.exited(end.code(), end.cause()));
      assertThat(scenario.attempt(run).reason()).isEqualTo(end.reason());
      assertThat(scenario.attempt(run).exitCode()).isEqualTo(end.code());
    }
  }

  private static void underused() {
    Scenario scenario = Scenario.with(Machines.withGpus("m1", Machines.gpu("g1", "A100", 40_960)));
    TaskBuilder task = TaskBuilder.task().gpus(1);
    task.utilization = new UtilizationPolicy(10, Duration.ofMinutes(5));
    String run = scenario.submit("hello", task);
    scenario.startWorked(run);
    scenario.tell(new Message.Underused(scenario.attempt(run).id()));
    assertThat(scenario.attempt(run).status()).isEqualTo(JobStatus.TERMINATING);
    assertThat(scenario.attempt(run).reason())
        .isEqualTo(JobReason.TERMINATED_DUE_TO_UTILIZATION_POLICY);
  }

  private static void graceful() {
    Scenario scenario = Scenario.with(Machines.large("m1"), Machines.large("m2"));
    String gang = scenario.submit("gang", TaskBuilder.task().nodes(2));
    new Cloud(scenario).answer();
    scenario.exit(gang, 0, 1);
    Action stop = scenario.flying(scenario.attempt(gang, 1).id());
    assertThat(stop.operation()).isEqualTo(new Operation.StopJob(TaskBuilder.STOP_DURATION));
    scenario.report(stop, new ActionOutcome.Done(scenario.now()));
    scenario.pass(TaskBuilder.STOP_DURATION.plusSeconds(29));
    assertThat(scenario.memory.unfinishedActions()).isEmpty();
    scenario.pass(Duration.ofSeconds(1));
    assertThat(scenario.flying(scenario.attempt(gang, 1).id()).type())
        .as("only what does not end in its time is killed")
        .isEqualTo(Action.Type.KILL_JOB);
  }

  private static void freed() {
    Scenario scenario = Cloud.selling(Offers.machine("fair", 1));
    Cloud cloud = new Cloud(scenario);
    String run = scenario.submit("hello");
    cloud.run();
    scenario.stop("hello");
    cloud.answer();
    assertThat(scenario.machineOf(run, 0).status()).isEqualTo(Instance.Status.IDLE);
    String booting = scenario.submit("booting", TaskBuilder.task().nodes(2));
    cloud.answer();
    scenario.stop("booting");
    assertThat(scenario.machineOf(booting, 0).bought().orElseThrow().reason())
        .as("one that is not ready goes")
        .isEqualTo(InstanceReason.NOT_NEEDED);
  }
}
