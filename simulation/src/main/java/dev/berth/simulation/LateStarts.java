package dev.berth.simulation;

import dev.berth.model.Action;
import dev.berth.model.Attempt;
import dev.berth.model.Entity;
import dev.berth.model.Resource;
import dev.berth.simulation.plan.Dice;
import dev.berth.simulation.providers.Cloud;
import java.time.Duration;

/**
 * Calls that reach a machine on which Berth runs jobs long after all was settled, so that a job
 * runs there that no attempt knows: under a key that was given up and that nobody remembers there,
 * or under one that the ledger never had.
 */
final class LateStarts {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final Duration LATE = Duration.ofMinutes(5);

  private final World world;
  private final Dice dice;
  private final double share;

  LateStarts(World world) {
    this.world = world;
    this.dice = Dice.of(world.plan().seed(), "late starts");
    this.share = world.plan().lateCalls() && dice.chance(0.5) ? dice.share(0.2, 1) : 0;
  }

  /** A start was called, and may come once more. */
  void called(Action action) {
    String machine = action.machineId();
    if (machine != null && action.type() == Action.Type.START_JOB && dice.chance(share)) {
      world.happens(
          dice.between(SOON, LATE),
          action.id() + " comes once more",
          () -> true,
          () -> start(action, machine));
    }
  }

  private boolean isSettled(Action action) {
    return world.records().unfinishedActions().stream()
            .noneMatch(row -> row.id().startsWith(action.resourceId() + "-"))
        && world
            .records()
            .find(Attempt.class, Entity.Kind.ATTEMPT, action.resourceId())
            .filter(Attempt::active)
            .isEmpty();
  }

  private void start(Action action, String machine) {
    String known = action.resourceId();
    String key = isSettled(action) && dice.chance(0.5) ? known : known + "-late";
    world
        .records()
        .find(Resource.class, Entity.Kind.RESOURCE, machine)
        .map(Resource::ref)
        .ifPresent(ref -> ((Cloud) world.provider(action.backend())).startLate(ref.id(), key));
  }
}
