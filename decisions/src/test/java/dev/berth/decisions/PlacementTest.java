package dev.berth.decisions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.Accelerator;
import dev.berth.model.Action;
import dev.berth.model.Container;
import dev.berth.model.Instance;
import dev.berth.model.JobReason;
import dev.berth.model.JobRequest;
import dev.berth.model.JobStatus;
import dev.berth.model.ResourceVector;
import dev.berth.model.RunReason;
import dev.berth.model.RunStatus;
import dev.berth.planning.testing.TaskBuilder;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Who gets which part of which machine, and who waits. */
final class PlacementTest {
  private static final Instance SMALL =
      Machines.machine("m1", new ResourceVector(4, 4, 8_192, 20_000, Set.of()), List.of());

  static Stream<TaskBuilder> needsOfWhichOneFits() {
    return Stream.of(
        TaskBuilder.task().cpus(3),
        TaskBuilder.task().memory(5_000),
        TaskBuilder.task().disk(15_000),
        TaskBuilder.task().cpus(4).memory(8_192).disk(20_000));
  }

  static Stream<TaskBuilder> needsThatNeverFit() {
    return Stream.of(
        TaskBuilder.task().cpus(5),
        TaskBuilder.task().memory(8_193),
        TaskBuilder.task().disk(20_001),
        TaskBuilder.task().gpus(1));
  }

  @ParameterizedTest
  @MethodSource("needsOfWhichOneFits")
  void whoeverDoesNotFitNowWaitsUntilSomebodyLeaves(TaskBuilder task) {
    Scenario scenario = Scenario.with(SMALL);
    String first = scenario.submit("first", task);
    String second = scenario.submit("second", task);
    assertThat(scenario.attempt(first).status()).isEqualTo(JobStatus.PROVISIONING);
    assertThat(scenario.attempt(second).status()).isEqualTo(JobStatus.SUBMITTED);

    scenario.observe(first, scenario.exited(0));
    assertThat(scenario.attempt(second).status()).isEqualTo(JobStatus.PROVISIONING);
    scenario.observe(second, scenario.exited(0));
    assertThat(scenario.machine("m1")).isEqualTo(SMALL);
  }

  @ParameterizedTest
  @MethodSource("needsThatNeverFit")
  void whoeverNoMachineCouldEverTakeFailsAndLetsTheNextOnesPass(TaskBuilder task) {
    Scenario scenario = Scenario.with(SMALL);
    String run = scenario.submit("hello", task);
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.FAILED);
    assertThat(scenario.run(run).reason()).isEqualTo(RunReason.JOB_FAILED);
    assertThat(scenario.run(run).message()).isEqualTo("no machine matches 'resources'");
    assertThat(scenario.attempt(run).reason())
        .isEqualTo(JobReason.FAILED_TO_START_DUE_TO_NO_CAPACITY);
    assertThat(scenario.actions(run)).isEmpty();
    assertThat(scenario.attempt(scenario.submit("next")).instanceId()).isEqualTo("m1");
  }

  @Test
  void withoutAnyMachineEverybodyWaits() {
    Scenario scenario = Scenario.with();
    String run = scenario.submit("hello", TaskBuilder.task().cpus(64));
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.SUBMITTED);
    scenario.tell(new Message.InstanceFound(SMALL));
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.FAILED);
  }

  @Test
  void slotsBoundHowManyRunAtOnceAndPlacesAreGivenInOrder() {
    Scenario scenario = Scenario.with(Machines.withSlots("m1", 2));
    List<String> runs =
        Stream.of("a", "b", "c", "d", "e").map(name -> scenario.submit(name)).toList();
    assertThat(placed(scenario, runs)).containsExactlyElementsOf(runs.subList(0, 2));
    scenario.observe(runs.get(1), scenario.exited(0));
    assertThat(placed(scenario, runs)).containsExactly(runs.get(0), runs.get(2));
    scenario.observe(runs.get(0), scenario.exited(0));
    assertThat(placed(scenario, runs)).containsExactly(runs.get(2), runs.get(3));
  }

  @Test
  void nobodyOvertakesWhoeverWaitsInFront() {
    Scenario scenario = Scenario.with(SMALL);
    String first = scenario.submit("first", TaskBuilder.task().cpus(3));
    String large = scenario.submit("large", TaskBuilder.task().cpus(4));
    String small = scenario.submit("small", TaskBuilder.task().cpus(1));
    String tiny = scenario.submit("tiny");
    assertThat(placed(scenario, List.of(first, large, small, tiny))).containsExactly(first);
    scenario.observe(first, scenario.exited(0));
    assertThat(placed(scenario, List.of(large, small, tiny))).containsExactly(large);
    scenario.observe(large, scenario.exited(0));
    assertThat(placed(scenario, List.of(small, tiny))).containsExactly(small, tiny);
  }

  @Test
  void whoeverStopsWaitingLetsTheNextOnesPass() {
    Scenario scenario = Scenario.with(SMALL);
    scenario.submit("first", TaskBuilder.task().cpus(3));
    scenario.submit("large", TaskBuilder.task().cpus(4));
    String small = scenario.submit("small", TaskBuilder.task().cpus(1));
    scenario.stop("large");
    assertThat(placed(scenario, List.of(small))).containsExactly(small);
  }

  @Test
  void theFirstMachineThatFitsIsTaken() {
    Scenario scenario = Scenario.with(Machines.withSlots("m1", 1), Machines.withSlots("m2", 2));
    List<String> runs = Stream.of("a", "b", "c").map(name -> scenario.submit(name)).toList();
    assertThat(runs.stream().map(run -> scenario.attempt(run).instanceId()))
        .containsExactly("m1", "m2", "m2");
  }

  @Test
  void acceleratorsAreGivenByIdAndComeBack() {
    Scenario scenario =
        Scenario.with(
            Machines.withGpus(
                "m1",
                Machines.gpu("gpu-0", "T4", 16_384),
                Machines.gpu("gpu-1", "A100", 81_920),
                Machines.gpu("gpu-2", "A100", 81_920)));
    String one = scenario.submit("one", TaskBuilder.task().gpus(1));
    String named = scenario.submit("named", TaskBuilder.task().gpus(1, "h100", "a100"));
    String roomy = scenario.submit("roomy", TaskBuilder.task().gpuMemory(1, 40_000));
    String none = scenario.submit("none", TaskBuilder.task().gpus(1));
    assertThat(devices(scenario, one)).containsExactly("gpu-0");
    assertThat(devices(scenario, named)).containsExactly("gpu-1");
    assertThat(devices(scenario, roomy)).containsExactly("gpu-2");
    assertThat(scenario.attempt(none).status()).isEqualTo(JobStatus.SUBMITTED);

    scenario.observe(named, scenario.exited(0));
    assertThat(devices(scenario, none)).containsExactly("gpu-1");
    scenario.observe(none, scenario.exited(0));
    scenario.observe(roomy, scenario.exited(0));
    String two = scenario.submit("two", TaskBuilder.task().gpus(2, "A100"));
    assertThat(devices(scenario, two)).containsExactly("gpu-1", "gpu-2");
  }

  @Test
  void acceleratorsThatNoMachineHasEndTheRun() {
    Scenario scenario = Scenario.with(Machines.withGpus("m1", Machines.gpu("gpu-0", "T4", 16_384)));
    for (TaskBuilder task :
        List.of(
            TaskBuilder.task().gpus(2),
            TaskBuilder.task().gpus(1, "A100"),
            TaskBuilder.task().gpuMemory(1, 16_385))) {
      String run = scenario.submit("hello", task);
      assertThat(scenario.run(run).status()).isEqualTo(RunStatus.FAILED);
    }
  }

  @Test
  void theStartCarriesTheShareThatWasReserved() {
    Scenario scenario = Scenario.with(SMALL);
    String run = scenario.submit("hello", TaskBuilder.task().cpus(2).memory(1_000).disk(500));
    JobRequest request = scenario.action(run, Action.Type.START_JOB).job().orElseThrow();
    assertThat(request.attemptId()).isEqualTo(Scenario.attemptId(run));
    assertThat(request.share()).isEqualTo(new ResourceVector(1, 2, 1_000, 500, Set.of()));
    assertThat(scenario.machine("m1").allocations())
        .containsEntry(Scenario.attemptId(run), request.share());
  }

  @Test
  void whoeverNamesAnImageGoesToAMachineWithAnEngine() {
    Instance engine = Machines.large("m0").running(new Instance.Engine(true, true));
    Scenario scenario = Scenario.with(Machines.large("m1"), engine);
    TaskBuilder task = TaskBuilder.task();
    task.image = "busybox:1";
    String inside = scenario.submit("inside", task);
    assertThat(scenario.attempt(inside).instanceId()).isEqualTo("m0");
    assertThat(scenario.action(inside, Action.Type.START_JOB).job().orElseThrow().container())
        .isEqualTo(
            new Container("busybox:1", null, null, null, List.of(), false, List.of())
                .inRun(inside));

    String plain = scenario.submit("plain");
    assertThat(scenario.attempt(plain).instanceId()).isEqualTo("m1");
    assertThat(scenario.action(plain, Action.Type.START_JOB).job().orElseThrow().container())
        .isNull();
  }

  @Test
  void privilegedNeedsAnEngineThatAllowsIt() {
    Instance engine = Machines.large("m0").running(new Instance.Engine(false, true));
    Scenario scenario = Scenario.with(engine);
    TaskBuilder task = TaskBuilder.task();
    task.privileged = true;
    String run = scenario.submit("strong", task);
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.FAILED);
  }

  @Test
  void backendsAreNamedByTheirNamesOrTheirTypes() {
    Scenario scenario = Scenario.with(SMALL.ofType("docker"));
    for (String word : List.of(Machines.BACKEND, "docker")) {
      TaskBuilder task = TaskBuilder.task().cpus(1);
      task.backends = List.of(word);
      String run = scenario.submit(word, task);
      assertThat(scenario.attempt(run).instanceId()).as("by %s", word).isEqualTo("m1");
    }
    TaskBuilder other = TaskBuilder.task().cpus(1);
    other.backends = List.of("local");
    String run = scenario.submit("other", other);
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.FAILED);
  }

  @Test
  void typeOfAMachineIsLearntWhenItIsFoundAgain() {
    Scenario scenario = Scenario.with(SMALL);
    scenario.tell(new Message.InstanceFound(SMALL.ofType("docker")));
    assertThat(scenario.machine("m1").backendType()).isEqualTo("docker");
  }

  @Test
  void deviceThatTwoBackendsShowGoesToOneJob() {
    Accelerator first = Machines.gpu("gpu-0", "T4", 16_384);
    Accelerator second = Machines.gpu("gpu-1", "T4", 16_384);
    Instance host = named("box", Machines.withGpus("m1", first, second));
    Instance engine =
        named("box", Machines.withGpus("m2", first, second))
            .running(new Instance.Engine(true, true));
    Instance stranger = named("other-box", Machines.withGpus("m3", first));
    Scenario scenario = Scenario.with(host, engine);
    TaskBuilder inside = TaskBuilder.task().gpus(1);
    inside.image = "busybox:1";
    String plain = scenario.submit("plain", TaskBuilder.task().gpus(1));
    String one = scenario.submit("one", inside);
    String two = scenario.submit("two", inside);
    assertThat(scenario.attempt(plain).instanceId()).isEqualTo("m1");
    assertThat(devices(scenario, plain)).containsExactly("gpu-0");
    assertThat(scenario.attempt(one).instanceId()).isEqualTo("m2");
    assertThat(devices(scenario, one)).containsExactly("gpu-1");
    assertThat(scenario.attempt(two).status()).isEqualTo(JobStatus.SUBMITTED);

    scenario.observe(plain, scenario.exited(0));
    assertThat(devices(scenario, two)).containsExactly("gpu-0");
    assertThat(scenario.machine("m2").allocations())
        .containsOnlyKeys(Scenario.attemptId(one), Scenario.attemptId(two));

    scenario.tell(new Message.InstanceFound(stranger));
    String third = scenario.submit("third", TaskBuilder.task().gpus(1));
    assertThat(scenario.attempt(third).instanceId()).as("ids of another machine").isEqualTo("m3");
  }

  private static Instance named(String name, Instance machine) {
    return new Instance(
        machine.id(),
        machine.project(),
        name,
        machine.backend(),
        machine.region(),
        machine.status(),
        machine.capacity(),
        machine.gpus(),
        machine.allocations(),
        machine.price());
  }

  @Test
  void aMachineThatIsFoundAgainKeepsWhoIsOnIt() {
    Scenario scenario = Scenario.with(SMALL);
    String run = scenario.submit("hello", TaskBuilder.task().cpus(2));
    String waiting = scenario.submit("waiting", TaskBuilder.task().cpus(4));
    int events = scenario.events.size();
    scenario.tell(new Message.InstanceFound(SMALL));
    assertThat(scenario.events).as("nothing new").hasSize(events);

    ResourceVector more = new ResourceVector(4, 8, 8_192, 20_000, Set.of());
    scenario.tell(new Message.InstanceFound(Machines.machine("m1", more, List.of())));
    assertThat(scenario.machine("m1").capacity()).isEqualTo(more);
    assertThat(scenario.machine("m1").allocations())
        .containsOnlyKeys(Scenario.attemptId(run), Scenario.attemptId(waiting));
    assertThat(scenario.eventsOf("m1")).containsExactly("instance.found", "instance.found");
  }

  @Test
  void theRoomOnADiskIsKeptAndNoNews() {
    Scenario scenario = Scenario.with(SMALL);
    ResourceVector had = SMALL.capacity();
    ResourceVector less =
        new ResourceVector(
            had.slots(), had.cpus(), had.memoryMib(), had.diskMib() - 1, had.devices());
    scenario.tell(new Message.InstanceFound(Machines.machine("m1", less, List.of())));
    assertThat(scenario.machine("m1").capacity()).isEqualTo(less);
    assertThat(scenario.eventsOf("m1")).containsExactly("instance.found");
  }

  private static List<String> placed(Scenario scenario, List<String> runs) {
    return runs.stream()
        .filter(run -> scenario.attempt(run).active())
        .filter(run -> scenario.attempt(run).instanceId() != null)
        .toList();
  }

  private static Set<String> devices(Scenario scenario, String run) {
    String machine = Objects.requireNonNull(scenario.attempt(run).instanceId());
    return Objects.requireNonNull(
            scenario.machine(machine).allocations().get(Scenario.attemptId(run)))
        .devices();
  }
}
