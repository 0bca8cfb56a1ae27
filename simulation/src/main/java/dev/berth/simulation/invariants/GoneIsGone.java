package dev.berth.simulation.invariants;

import dev.berth.model.Resource;
import dev.berth.model.ResourceType;
import dev.berth.simulation.World;
import dev.berth.simulation.providers.Provider;
import java.util.HashSet;
import java.util.Set;

/** No machine is called gone while it is there. */
final class GoneIsGone implements Invariant {
  @Override
  public String name() {
    return "no machine is called gone while it is there";
  }

  @Override
  public void check(World world) {
    Set<String> there = new HashSet<>();
    for (Provider provider : world.providers()) {
      world.held(provider).forEach(held -> there.add(provider.name() + " " + held.id()));
    }
    world
        .records()
        .all(Resource.class)
        .filter(resource -> resource.type() == ResourceType.INSTANCE && !resource.active())
        .forEach(
            resource -> {
              Resource.Ref ref = resource.ref();
              if (ref != null && there.contains(resource.backend() + " " + ref.id())) {
                violated(world, resource.id() + " counts as gone, and " + ref.id() + " is there");
              }
            });
  }
}
