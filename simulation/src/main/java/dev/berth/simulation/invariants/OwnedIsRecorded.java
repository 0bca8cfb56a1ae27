package dev.berth.simulation.invariants;

import dev.berth.model.Entity;
import dev.berth.model.Resource;
import dev.berth.simulation.World;
import dev.berth.simulation.providers.Provider;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** What we have at a provider stands in the records, or is gone within the time that we promise. */
final class OwnedIsRecorded implements Invariant {
  /** How long something may be there that no record speaks of. */
  static final Duration WITHIN = Duration.ofMinutes(10);

  /** Since when each thing has been there without a record. */
  private final Map<String, Instant> unknown = new HashMap<>();

  @Override
  public String name() {
    return "what we own is recorded";
  }

  @Override
  public void check(World world) {
    Set<String> still = new HashSet<>();
    for (Provider provider : world.providers()) {
      for (Provider.Held held : world.held(provider)) {
        String what = provider.name() + " " + held.id() + " of " + held.key();
        if (held.ours() && !isRecorded(world, provider.name(), held)) {
          still.add(what);
          Instant since = unknown.computeIfAbsent(what, _ -> world.now());
          if (since.plus(WITHIN).isBefore(world.now())) {
            violated(world, what + " is there, and no record speaks of it since " + since);
          }
        }
      }
    }
    unknown.keySet().retainAll(still);
  }

  /** By its key, or as something that has no owner. */
  private static boolean isRecorded(World world, String backend, Provider.Held held) {
    return world
        .records()
        .find(Resource.class, Entity.Kind.RESOURCE, held.key())
        .filter(resource -> resource.active() && resource.backend().equals(backend))
        .or(
            () ->
                world
                    .records()
                    .all(Resource.class)
                    .filter(resource -> resource.id().startsWith(held.key() + "~"))
                    .filter(resource -> resource.active() && resource.backend().equals(backend))
                    .findFirst())
        .isPresent();
  }
}
