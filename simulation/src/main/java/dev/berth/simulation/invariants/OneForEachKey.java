package dev.berth.simulation.invariants;

import dev.berth.model.Entity;
import dev.berth.model.Resource;
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

  /**
   * The same where nobody asks for it any more, so that both came late and are strangers: those
   * have half an hour of grace, and a look every five minutes may fail.
   */
  static final Duration STRANGERS_WITHIN = Duration.ofMinutes(45);

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
      for (Provider.Held held : world.held(provider)) {
        if (held.ours() && !seen.add(held.key())) {
          String what = provider.name() + " " + held.key();
          still.add(what);
          Instant since = twice.computeIfAbsent(what, _ -> world.now());
          Duration within = isWanted(world, held.key()) ? WITHIN : STRANGERS_WITHIN;
          if (!lookup || since.plus(within).isBefore(world.now())) {
            violated(world, what + " is there twice since " + since);
          }
        }
      }
    }
    twice.keySet().retainAll(still);
  }

  /** Whether a record under this very key speaks of it. */
  private static boolean isWanted(World world, String key) {
    return world
        .records()
        .find(Resource.class, Entity.Kind.RESOURCE, key)
        .filter(Resource::active)
        .isPresent();
  }
}
