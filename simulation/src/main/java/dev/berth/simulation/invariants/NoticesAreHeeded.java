package dev.berth.simulation.invariants;

import dev.berth.model.Attempt;
import dev.berth.model.JobStatus;
import dev.berth.simulation.World;
import dev.berth.simulation.providers.Provider;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Where a provider says that it will take something back, the jobs there are told to stop. */
final class NoticesAreHeeded implements Invariant {
  /** A minute for reads that lag, a minute for word that is slow, and one for looks that fail. */
  static final Duration WITHIN = Duration.ofMinutes(3);

  /** Since when each attempt has run on after the notice. */
  private final Map<String, Instant> heedless = new HashMap<>();

  @Override
  public String name() {
    return "jobs are told to stop before their place is taken back";
  }

  @Override
  public void check(World world) {
    if (!world.isServed()) {
      // Nobody is there to notice anything.
      heedless.clear();
      return;
    }
    Set<String> noticed = new HashSet<>();
    for (Provider provider : world.providers()) {
      if (world.configured().contains(provider.name())) {
        world.held(provider).stream()
            .filter(held -> held.ours() && held.noticedAt() != null)
            .forEach(held -> noticed.add(held.key()));
      }
    }
    Set<String> still = new HashSet<>();
    if (!noticed.isEmpty()) {
      world
          .records()
          .all(Attempt.class)
          .filter(attempt -> attempt.status() == JobStatus.RUNNING)
          .filter(attempt -> attempt.unseenSince() == null)
          .filter(attempt -> noticed.contains(placeOf(attempt)))
          .forEach(
              attempt -> {
                still.add(attempt.id());
                Instant since = heedless.computeIfAbsent(attempt.id(), _ -> world.now());
                if (since.plus(WITHIN).isBefore(world.now())) {
                  violated(
                      world,
                      attempt.id() + " runs on, though its end was announced before " + since);
                }
              });
    }
    heedless.keySet().retainAll(still);
  }

  /** The key of its machine, or its own where its place was rented for it alone. */
  private static String placeOf(Attempt attempt) {
    String machine = attempt.instanceId();
    return machine == null ? attempt.id() : machine;
  }
}
