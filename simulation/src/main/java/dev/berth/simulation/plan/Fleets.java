package dev.berth.simulation.plan;

import java.time.Duration;
import java.util.List;

/** Draws the fleets of a plan, and how they are changed. */
final class Fleets {
  private final Dice dice;
  private final List<String> backends;

  Fleets(Dice dice, List<String> backends) {
    this.dice = dice;
    this.backends = backends;
  }

  /** Adds the steps of so many fleets. */
  void draw(int count, Duration until, List<WorkStep> steps) {
    for (int number = 1; number <= count; number++) {
      Duration at = dice.between(Duration.ZERO, until.dividedBy(3));
      WorkStep.Machines machines = machines();
      steps.add(new WorkStep.ApplyFleet(at, number, machines));
      if (dice.chance(0.4)) {
        steps.add(new WorkStep.ApplyFleet(dice.between(at, until), number, changed(machines)));
      }
      if (dice.chance(0.2)) {
        // Others are deleted at closing time.
        steps.add(new WorkStep.DeleteFleet(dice.between(at, until), number));
      }
    }
  }

  private WorkStep.Machines machines() {
    int min = dice.between(0, 2);
    int target = min + dice.between(0, 1);
    return new WorkStep.Machines(
        min,
        target,
        dice.chance(0.5) ? 0 : target + dice.between(0, 2),
        dice.oneOf(List.of(2, 4, 8)),
        dice.oneOf(List.of(1, 1, 2, 4)),
        dice.chance(0.3),
        dice.chance(0.3),
        dice.between(0, 120),
        dice.chance(0.6) ? List.of() : List.of(dice.oneOf(backends)));
  }

  private WorkStep.Machines changed(WorkStep.Machines before) {
    int min = dice.between(0, 3);
    int max = dice.chance(0.5) ? 0 : min + dice.between(0, 1);
    return new WorkStep.Machines(
        min,
        min,
        max,
        dice.chance(0.3) ? dice.oneOf(List.of(2, 4, 8)) : before.cpus(),
        before.blocks(),
        before.cluster(),
        before.spot(),
        dice.between(0, 120),
        before.backends());
  }
}
