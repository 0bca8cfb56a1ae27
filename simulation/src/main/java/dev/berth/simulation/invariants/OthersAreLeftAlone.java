package dev.berth.simulation.invariants;

import dev.berth.simulation.World;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What others have in the same account stays as it is. */
final class OthersAreLeftAlone implements Invariant {
  private @Nullable Set<String> atTheBeginning;

  @Override
  public String name() {
    return "what others own is left alone";
  }

  @Override
  public void check(World world) {
    Set<String> now =
        world.providers().stream()
            .flatMap(
                provider ->
                    world.held(provider).stream()
                        .filter(held -> !held.ours())
                        .map(held -> provider.name() + " " + held.id()))
            .collect(Collectors.toSet());
    if (atTheBeginning == null) {
      atTheBeginning = now;
    } else if (!atTheBeginning.equals(now)) {
      violated(world, "there was " + atTheBeginning + ", and now there is " + now);
    }
  }
}
