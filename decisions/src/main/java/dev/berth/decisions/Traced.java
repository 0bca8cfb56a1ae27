package dev.berth.decisions;

import dev.berth.model.Candidate;
import dev.berth.model.Instance;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A place, and all that keeps one node of a task from being put there.
 *
 * @param machine one that is there; null for an offer
 * @param offer one that can be bought; null for a machine
 * @param failed what the task asks for and the place does not have
 * @param obstacles what else is in the way
 */
record Traced(
    @Nullable Instance machine,
    @Nullable Candidate offer,
    Set<Constraint> failed,
    Set<Obstacle> obstacles) {
  static Traced of(Instance machine) {
    return new Traced(
        machine, null, EnumSet.noneOf(Constraint.class), EnumSet.noneOf(Obstacle.class));
  }

  static Traced of(Candidate offer) {
    return new Traced(
        null, offer, EnumSet.noneOf(Constraint.class), EnumSet.noneOf(Obstacle.class));
  }

  boolean isFree() {
    return failed.isEmpty() && obstacles.isEmpty();
  }

  /** How many things are in the way. */
  int count() {
    return failed.size() + obstacles.size();
  }

  double price() {
    return machine != null ? machine.price() : offer == null ? 0 : offer.item().price();
  }
}
