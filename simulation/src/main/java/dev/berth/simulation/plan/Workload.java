package dev.berth.simulation.plan;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/** Draws what the users of a plan do. */
final class Workload {
  private static final Duration LONGEST = Duration.ofMinutes(6);

  private final Dice dice;
  private final List<String> backends;
  private final Set<Choice> choices;

  Workload(Dice dice, List<String> backends, Set<Choice> choices) {
    this.dice = dice;
    this.backends = backends;
    this.choices = choices;
  }

  List<WorkStep> draw() {
    List<WorkStep> steps = new ArrayList<>();
    int runs = dice.between(1, 10);
    for (int number = 1; number <= runs; number++) {
      Duration at = dice.between(Duration.ZERO, LONGEST);
      steps.add(new WorkStep.Submit(at, number, task()));
      if (dice.chance(0.4)) {
        steps.add(new WorkStep.Stop(later(at), number, dice.chance(0.3)));
      }
      if (dice.chance(0.2)) {
        // Impatient users stop twice, or abort what they stopped.
        steps.add(new WorkStep.Stop(later(at), number, dice.chance(0.5)));
      }
      if (dice.chance(0.3)) {
        steps.add(new WorkStep.Delete(later(at), number));
      }
    }
    if (choices.contains(Choice.BACKENDS_COME_AND_GO)) {
      for (int i = dice.between(0, 2); i > 0; i--) {
        String backend = dice.oneOf(backends);
        Duration at = dice.between(Duration.ZERO, LONGEST);
        steps.add(new WorkStep.RemoveBackend(at, backend));
        steps.add(new WorkStep.AddBackend(later(at), backend));
      }
    }
    steps.sort(Comparator.comparing(WorkStep::at));
    return steps;
  }

  private Duration later(Duration at) {
    return at.plus(dice.mostlyShort(Duration.ofMinutes(2)));
  }

  private WorkStep.Task task() {
    List<String> commands = new ArrayList<>();
    if (dice.chance(0.2)) {
      commands.add("trap '' TERM");
    }
    commands.add("sleep " + (dice.chance(0.25) ? "infinity" : dice.between(0, 120)));
    if (dice.chance(0.2)) {
      commands.add("exit " + dice.between(1, 5));
    }
    return new WorkStep.Task(
        commands,
        dice.chance(0.3) ? List.of() : List.of(dice.oneOf(backends)),
        dice.between(1, 4),
        dice.chance(0.2),
        dice.chance(0.2) ? dice.between(5, 60) : 0,
        dice.between(0, 60));
  }
}
