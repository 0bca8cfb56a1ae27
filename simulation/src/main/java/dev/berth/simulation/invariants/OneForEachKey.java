package dev.berth.simulation.invariants;

import dev.berth.simulation.World;
import dev.berth.simulation.providers.Provider;
import dev.berth.spi.Identity;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Each try has its own key, and no key has two things; where keys are looked up, not for long. */
final class OneForEachKey implements Invariant {
  /** How long two may be there where the provider cannot tell that it is asked twice. */
  static final Duration WITHIN = Duration.ofMinutes(15);

  private final Map<String, Instant> twice = new HashMap<>();

  @Override
  public String name() {
    return "no key has two things";
  }

  @Override
  public void check(World world) {
    Set<String> still = new HashSet<>();
    for (Provider provider : world.providers()) {
      Set<String> seen = new HashSet<>();
      boolean lookup = provider.compute().identity() instanceof Identity.Lookup;
      for (Provider.Held held : provider.held()) {
        if (held.ours() && !seen.add(held.key())) {
          String what = provider.name() + " " + held.key();
          still.add(what);
          Instant since = twice.computeIfAbsent(what, _ -> world.now());
          if (!lookup || since.plus(WITHIN).isBefore(world.now())) {
            violated(world, what + " is there twice since " + since);
          }
        }
      }
    }
    twice.keySet().retainAll(still);
  }
}
