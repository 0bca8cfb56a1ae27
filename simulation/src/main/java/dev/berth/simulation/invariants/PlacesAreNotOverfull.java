package dev.berth.simulation.invariants;

import dev.berth.model.Instance;
import dev.berth.model.ResourceVector;
import dev.berth.simulation.World;
import dev.berth.simulation.providers.Provider;

/** Hosts run no more than fits, by the records and in truth, and accounts keep to their quotas. */
final class PlacesAreNotOverfull implements Invariant {
  @Override
  public String name() {
    return "no place is overfull";
  }

  @Override
  public void check(World world) {
    for (Provider provider : world.providers()) {
      provider
          .complaint()
          .ifPresent(complaint -> violated(world, provider.name() + " " + complaint));
    }
    world
        .records()
        .all(Instance.class)
        .forEach(
            instance -> {
              ResourceVector free = instance.free();
              if (free.slots() < 0 || free.cpus() < 0 || free.memoryMib() < 0) {
                violated(world, instance.id() + " has given away more than it has: " + free);
              }
            });
  }
}
