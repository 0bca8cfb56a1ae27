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

/** What is recorded as running runs: an end at the provider is noticed while a server is there. */
final class RunningIsThere implements Invariant {
  /**
   * How long an end may go unnoticed: two minutes for a host out of sight, a minute for word that
   * is slow, and as much again for looks that fail.
   */
  static final Duration WITHIN = Duration.ofMinutes(5);

  /** Since when each attempt has counted as running though nothing of it runs. */
  private final Map<String, Instant> gone = new HashMap<>();

  @Override
  public String name() {
    return "what is recorded as running is there";
  }

  @Override
  public void check(World world) {
    if (!world.isServed()) {
      // Nobody is there to notice anything.
      gone.clear();
      return;
    }
    Set<String> running = new HashSet<>();
    for (Provider provider : world.providers()) {
      world.held(provider).forEach(held -> running.add(provider.name() + " " + held.key()));
    }
    Set<String> still = new HashSet<>();
    world
        .records()
        .all(Attempt.class)
        .filter(attempt -> attempt.status() == JobStatus.RUNNING)
        .filter(attempt -> !running.contains(attempt.backend() + " " + attempt.id()))
        .forEach(
            attempt -> {
              still.add(attempt.id());
              Instant since = gone.computeIfAbsent(attempt.id(), _ -> world.now());
              if (since.plus(WITHIN).isBefore(world.now())) {
                violated(
                    world,
                    attempt.id() + " counts as running, and nothing of it is since " + since);
              }
            });
    gone.keySet().retainAll(still);
  }
}
