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
  private final Fleets fleets;

  Workload(Dice dice, List<String> backends, Set<Choice> choices) {
    this.dice = dice;
    this.backends = backends;
    this.choices = choices;
    this.fleets = new Fleets(dice, backends);
  }

  List<WorkStep> draw() {
    List<WorkStep> steps = new ArrayList<>();
    int kept = choices.contains(Choice.FLEETS) && dice.chance(0.4) ? dice.between(1, 2) : 0;
    fleets.draw(kept, LONGEST, steps);
    Tasks tasks = new Tasks(dice, backends, choices, kept);
    int runs = dice.between(1, 10);
    for (int number = 1; number <= runs; number++) {
      Duration at = dice.between(Duration.ZERO, LONGEST);
      steps.add(new WorkStep.Submit(at, number, tasks.draw(number)));
      more(number, at, steps);
    }
    if (choices.contains(Choice.PRIORITIES) && dice.chance(0.3)) {
      crowd(runs + 1, tasks.alike(), steps);
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

  /** What users do about a run besides submitting it. */
  private void more(int number, Duration at, List<WorkStep> steps) {
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
    if (choices.contains(Choice.PRIORITIES) && dice.chance(0.1)) {
      steps.add(new WorkStep.Prioritise(later(at), number, dice.between(0, 100)));
    }
  }

  /** Many who ask for the same at about the same time, and are not equally urgent. */
  private void crowd(int first, WorkStep.Task alike, List<WorkStep> steps) {
    Duration from = dice.between(Duration.ZERO, LONGEST);
    int count = dice.between(3, 7);
    for (int number = first; number < first + count; number++) {
      WorkStep.Terms terms = alike.terms().withPriority(dice.between(0, 2) * 10);
      Duration at = from.plus(dice.mostlyShort(Duration.ofSeconds(20)));
      steps.add(new WorkStep.Submit(at, number, alike.with(terms)));
    }
  }

  private Duration later(Duration at) {
    return at.plus(dice.mostlyShort(Duration.ofMinutes(2)));
  }
}
