package dev.berth.simulation.invariants;

import dev.berth.model.Attempt;
import dev.berth.model.Entity;
import dev.berth.model.Instance;
import dev.berth.model.Resource;
import dev.berth.simulation.World;
import dev.berth.simulation.providers.Provider;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** What has ended is given back: neither its machine nor its rented place goes on to cost money. */
final class NothingBillsAfterItsEnd implements Invariant {
  /**
   * How long something may cost money after its end: deletes that are lost are repeated after
   * pauses of up to ten minutes, and a place that was not given back is found by a sweep. Clouds
   * that lose nearly every second delete exist, and may lose eight in a row.
   */
  static final Duration WITHIN = Duration.ofHours(2);

  /** Since when each thing has been there though it has ended. */
  private final Map<String, Instant> ended = new HashMap<>();

  @Override
  public String name() {
    return "nothing of ours costs money long after its end";
  }

  @Override
  public void check(World world) {
    Set<String> still = new HashSet<>();
    for (Provider provider : world.providers()) {
      for (Provider.Held held : world.held(provider)) {
        if (held.ours()
            && held.bills()
            && hasEnded(world, held.key())
            && !isStranger(world, held.key())) {
          String what = provider.name() + " " + held.id() + " of " + held.key();
          still.add(what);
          Instant since = ended.computeIfAbsent(what, _ -> world.now());
          if (since.plus(WITHIN).isBefore(world.now())) {
            violated(world, what + " has ended, and still costs money since " + since);
          }
        }
      }
    }
    ended.keySet().retainAll(still);
  }

  /** What was made twice under one key may be a stranger, which has its grace. */
  private static boolean isStranger(World world, String key) {
    return world
        .records()
        .all(Resource.class)
        .filter(resource -> resource.id().startsWith(key + "~"))
        .anyMatch(resource -> resource.phase() == Resource.State.IN_DOUBT);
  }

  private static boolean hasEnded(World world, String key) {
    return world
            .records()
            .find(Attempt.class, Entity.Kind.ATTEMPT, key)
            .filter(attempt -> !attempt.active())
            .isPresent()
        || world
            .records()
            .find(Instance.class, Entity.Kind.INSTANCE, key)
            .filter(
                instance -> !instance.active() || instance.status() == Instance.Status.TERMINATING)
            .isPresent();
  }
}
