package dev.berth.simulation.invariants;

import dev.berth.simulation.World;
import dev.berth.simulation.providers.Provider;
import java.util.List;

/** When all is done, nothing of ours is at a provider, and nothing is to be done. */
final class NothingIsLeft implements Invariant {
  @Override
  public String name() {
    return "in the end nothing is left";
  }

  @Override
  public void atEnd(World world) {
    for (Provider provider : world.providers()) {
      List<Provider.Held> left = world.held(provider).stream().filter(Provider.Held::ours).toList();
      if (!left.isEmpty()) {
        violated(world, provider.name() + " still holds " + left);
      }
    }
    List<String> unfinished = world.records().unfinished();
    if (!unfinished.isEmpty()) {
      violated(world, "not finished: " + unfinished);
    }
  }
}
