package dev.berth.simulation.invariants;

import dev.berth.control.Codec;
import dev.berth.ledger.Commit;
import dev.berth.ledger.EntityRow;
import dev.berth.ledger.Tenure;
import dev.berth.model.Entity;
import dev.berth.model.Placement;
import dev.berth.simulation.World;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Of those who ask for exactly the same, the more urgent one gets a place first, and of those who
 * are equally urgent the one who came first. Those who ask for something else may pass; so may
 * anybody, if the one in front was refused some offers before and so is left with fewer.
 */
final class TheLineIsKept implements Invariant {
  @Override
  public String name() {
    return "nobody is overtaken by an equal";
  }

  @Override
  public void committed(World world, Tenure tenure, Commit commit) {
    List<Placement> written =
        commit.puts().stream()
            .filter(row -> row.key().kind().equals(Entity.Kind.PLACEMENT.word()))
            .map(TheLineIsKept::placement)
            .toList();
    for (Placement placed : written) {
      Placement before = before(world, placed);
      if (placed.phase() == Placement.State.CREATING && before != null && isInLine(before)) {
        world
            .records()
            .all(Placement.class)
            .filter(TheLineIsKept::isInLine)
            .filter(other -> isInFront(other, before) && isInFront(other, placed))
            .filter(other -> written.stream().allMatch(one -> isUntouched(other, one)))
            .findFirst()
            .ifPresent(other -> violated(world, placed.id() + " overtakes " + other.id()));
      }
    }
  }

  private static Placement placement(EntityRow row) {
    return (Placement) Codec.entity(row);
  }

  private static @Nullable Placement before(World world, Placement placement) {
    return world
        .records()
        .find(Placement.class, Entity.Kind.PLACEMENT, placement.id())
        .orElse(null);
  }

  /** Whether a commit leaves one that waits where it was. */
  private static boolean isUntouched(Placement waiting, Placement written) {
    return !written.id().equals(waiting.id())
        || (isInLine(written)
            && written.members().equals(waiting.members())
            && written.priority() == waiting.priority());
  }

  private static boolean isInLine(Placement placement) {
    return placement.phase() == Placement.State.RESERVING
        && placement.notBefore() == null
        && placement.tried().isEmpty();
  }

  private static boolean isInFront(Placement first, Placement second) {
    return first.shape().equals(second.shape())
        && first.project().equals(second.project())
        && (first.priority() > second.priority()
            || (first.priority() == second.priority() && first.since().isBefore(second.since())));
  }
}
