package dev.berth.simulation.invariants;

import dev.berth.control.Codec;
import dev.berth.ledger.Commit;
import dev.berth.ledger.EntityRow;
import dev.berth.ledger.Tenure;
import dev.berth.model.Entity;
import dev.berth.model.Instance;
import dev.berth.model.InstanceReason;
import dev.berth.model.Purchase;
import dev.berth.model.Resource;
import dev.berth.simulation.World;
import org.jspecify.annotations.Nullable;

/** A machine that its provider refused late could not be had; nothing is wrong with it. */
final class RefusedIsNoError implements Invariant {
  @Override
  public String name() {
    return "what a provider refuses late is an offer that could not be had";
  }

  @Override
  public void committed(World world, Tenure tenure, Commit commit) {
    for (EntityRow row : commit.puts()) {
      if (row.key().kind().equals(Entity.Kind.INSTANCE.word())) {
        check(world, (Instance) Codec.entity(row));
      }
    }
  }

  private void check(World world, Instance instance) {
    InstanceReason reason = reason(instance);
    boolean wrong = reason == InstanceReason.ERROR || reason == InstanceReason.INTERRUPTED;
    if (wrong && isNew(world, instance) && wasMade(world, instance) && isRefused(world, instance)) {
      violated(world, instance.id() + " was refused, and counts as " + reason);
    }
  }

  private static @Nullable InstanceReason reason(Instance instance) {
    return instance.bought().map(Purchase::reason).orElse(null);
  }

  private static boolean isNew(World world, Instance instance) {
    return world
        .records()
        .find(Instance.class, Entity.Kind.INSTANCE, instance.id())
        .filter(before -> reason(before) == null)
        .isPresent();
  }

  /** Whether the request was known to be accepted; until then it may fail for other reasons. */
  private static boolean wasMade(World world, Instance instance) {
    return world
        .records()
        .find(Resource.class, Entity.Kind.RESOURCE, instance.id())
        .filter(before -> before.phase() == Resource.State.PRESENT)
        .isPresent();
  }

  private static boolean isRefused(World world, Instance instance) {
    return world.refused(world.provider(instance.backend())).contains(instance.id());
  }
}
