package dev.berth.decisions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.Attempt;
import dev.berth.model.JobObservation;
import dev.berth.model.Resource;
import dev.berth.model.ResourceVector;
import dev.berth.model.Run;
import dev.berth.planning.testing.TaskBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs whose messages come in any order, late, twice or not for a long time. After each of them the
 * invariants hold, and once everything was said every run has ended and nothing is left alive.
 */
final class RandomLivesTest {
  private static final int STEPS = 250;

  static LongStream seeds() {
    String soak = System.getProperty("berth.soak", "");
    int factor = soak.matches("[1-9][0-9]*") ? Integer.parseInt(soak) : 1;
    return LongStream.rangeClosed(1, 20L * factor);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void everyRunEndsAndNothingIsLeft(long seed) {
    Lives lives = new Lives(seed);
    for (int step = 0; step < STEPS; step++) {
      lives.step();
    }
    lives.settle();
  }

  private static final class Lives {
    private final Random random;
    private final RandomMachine machine;
    private final Scenario scenario;

    /** Said, and not heard yet. */
    private final List<Message> onTheWay = new ArrayList<>();

    private int names;

    Lives(long seed) {
      random = new Random(seed);
      machine = new RandomMachine(random);
      scenario =
          Scenario.with(
              Machines.machine("m1", new ResourceVector(3, 4, 4_096, 10_000, Set.of()), List.of()),
              Machines.withGpus("m2", Machines.gpu("gpu-0", "T4", 16_384)));
    }

    void step() {
      switch (random.nextInt(12)) {
        case 0, 1 -> submit();
        case 2 -> pick(names()).ifPresent(this::stop);
        case 3 -> finishedRuns().findAny().ifPresent(run -> tell(deletionOf(run)));
        case 4, 5 -> pick(machine.busy()).ifPresent(this::call);
        case 6 -> pick(attempts()).ifPresent(id -> machine.happen(id, scenario.now()));
        case 7 -> pick(attempts()).ifPresent(this::look);
        case 8, 9, 10 -> hearOne();
        default -> passTime(Duration.ofMillis(random.nextInt(60_000)));
      }
    }

    /** Every call works and every message is heard, until nothing is left to do. */
    void settle() {
      machine.becomeReliable();
      for (int round = 0; round < 500 && !quiet(); round++) {
        machine.busy().forEach(this::call);
        while (!onTheWay.isEmpty()) {
          hearOne();
        }
        attempts().forEach(id -> machine.happen(id, scenario.now()));
        attempts().forEach(this::look);
        passTime(Duration.ofMinutes(10));
      }
      assertThat(scenario.memory.active(Run.class)).as("runs that never end").isEmpty();
      assertThat(scenario.memory.unfinishedActions()).as("actions that never end").isEmpty();
      assertThat(machine.alive()).as("jobs that were left alone").isEmpty();
      assertThat(scenario.machine("m1").allocations()).isEmpty();
      assertThat(scenario.machine("m2").allocations()).isEmpty();
    }

    private boolean quiet() {
      return onTheWay.isEmpty()
          && machine.busy().isEmpty()
          && scenario.memory.active(Run.class).isEmpty()
          && scenario.memory.unfinishedActions().findAny().isEmpty();
    }

    private void submit() {
      TaskBuilder task =
          switch (random.nextInt(6)) {
            case 0 -> TaskBuilder.task().cpus(1 + random.nextInt(4));
            case 1 -> TaskBuilder.task().gpus(1);
            case 2 -> TaskBuilder.task().memory(3_000);
            case 3 -> TaskBuilder.task().cpus(99);
            default -> TaskBuilder.task();
          };
      tell(scenario.submission("run-" + (random.nextInt(10) == 0 ? names : ++names), task));
    }

    private void stop(String name) {
      tell(new Message.Stop(Scenario.PROJECT, name, random.nextInt(3) == 0, "ann"));
    }

    private Message deletionOf(Run run) {
      return scenario.deletion(run.id());
    }

    private void call(String attemptId) {
      onTheWay.add(machine.call(attemptId, scenario.now()));
    }

    /** What a watch tells: that a job is absent only where its start was reported before. */
    private void look(String attemptId) {
      JobObservation seen = machine.look(attemptId);
      Resource.State phase =
          scenario
              .memory
              .find(Resource.class, attemptId)
              .map(Resource::phase)
              .orElse(Resource.State.INTENDED);
      if (seen instanceof JobObservation.Absent
          && phase != Resource.State.PRESENT
          && phase != Resource.State.LEAVING) {
        return;
      }
      onTheWay.add(new Message.Observed(attemptId, seen));
    }

    private void hearOne() {
      if (onTheWay.isEmpty()) {
        return;
      }
      int which = random.nextInt(onTheWay.size());
      Message message = onTheWay.get(which);
      if (random.nextInt(10) > 0) {
        onTheWay.remove(which);
      }
      tell(message);
    }

    private void passTime(Duration time) {
      scenario.later(time);
      scenario.tellWhatIsDue();
      handOver();
    }

    private void tell(Message message) {
      scenario.tell(message);
      handOver();
    }

    private void handOver() {
      scenario.handedOver.forEach(machine::accept);
    }

    private List<String> names() {
      return scenario.memory.active(Run.class).stream().map(Run::name).toList();
    }

    private List<String> attempts() {
      return scenario.memory.active(Attempt.class).stream().map(Attempt::id).toList();
    }

    private Stream<Run> finishedRuns() {
      return scenario.memory.all(Run.class).filter(run -> !run.active());
    }

    private Optional<String> pick(List<String> from) {
      return from.isEmpty() ? Optional.empty() : Optional.of(from.get(random.nextInt(from.size())));
    }
  }
}
