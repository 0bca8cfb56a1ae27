package dev.berth.simulation.invariants;

import dev.berth.control.Codec;
import dev.berth.ledger.Commit;
import dev.berth.ledger.EntityRow;
import dev.berth.ledger.Tenure;
import dev.berth.model.Attempt;
import dev.berth.model.Entity;
import dev.berth.model.Instance;
import dev.berth.simulation.World;
import dev.berth.simulation.providers.Provider;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** A machine that its backend does not list any more gets no new jobs. */
final class AwayIsUnused implements Invariant {
  /** A minute for two readings, one of which may fail, and one for word that is slow. */
  static final Duration WITHIN = Duration.ofMinutes(2);

  /** Since when each backend has not listed its machines though somebody looked. */
  private final Map<String, Instant> away = new HashMap<>();

  @Override
  public String name() {
    return "a machine that is not listed any more gets no new jobs";
  }

  @Override
  public void check(World world) {
    for (Provider provider : world.providers()) {
      boolean looks = world.isServed() && world.configured().contains(provider.name());
      if (looks && provider.isAway()) {
        away.putIfAbsent(provider.name(), world.now());
      } else {
        away.remove(provider.name());
      }
    }
  }

  @Override
  public void committed(World world, Tenure tenure, Commit commit) {
    for (EntityRow row : commit.puts()) {
      if (row.key().kind().equals(Entity.Kind.ATTEMPT.word())) {
        Attempt attempt = (Attempt) Codec.entity(row);
        if (attempt.active() && attempt.instanceId() != null && isNewThere(world, attempt)) {
          check(world, attempt, attempt.instanceId());
        }
      }
    }
  }

  private static boolean isNewThere(World world, Attempt attempt) {
    return world
        .records()
        .find(Attempt.class, Entity.Kind.ATTEMPT, attempt.id())
        .filter(
            before ->
                attempt.instanceId() != null && attempt.instanceId().equals(before.instanceId()))
        .isEmpty();
  }

  private void check(World world, Attempt attempt, String machine) {
    String status =
        world
            .records()
            .find(Instance.class, Entity.Kind.INSTANCE, machine)
            .filter(before -> before.purchase() == null)
            .map(Instance::backend)
            .orElse(null);
    Instant since = status == null ? null : away.get(status);
    if (since != null && since.plus(WITHIN).isBefore(world.now())) {
      violated(world, attempt.id() + " gets " + machine + ", which is not listed since " + since);
    }
  }
}
