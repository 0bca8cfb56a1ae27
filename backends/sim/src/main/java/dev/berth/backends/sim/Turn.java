package dev.berth.backends.sim;

import dev.berth.backends.sim.scenario.Fault;
import dev.berth.backends.sim.scenario.LaunchLimit;
import dev.berth.backends.sim.scenario.SimScenario;
import dev.berth.spi.BackendException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One call while it is carried out: the world, the time, and what goes wrong with it.
 *
 * @param number of the call, counted by operation
 * @param madeAt when what the call makes takes effect; later than now where the answer is lost
 */
record Turn(
    World world,
    SimScenario scenario,
    Chance chance,
    long number,
    Instant now,
    Instant madeAt,
    List<Fault> faults) {
  Turn {
    faults = List.copyOf(faults);
  }

  Market market() {
    return new Market(scenario, world);
  }

  SpotChance spot() {
    return new SpotChance(scenario, chance);
  }

  boolean has(Fault.Kind kind) {
    return find(kind).isPresent();
  }

  Optional<Fault> find(Fault.Kind kind) {
    return faults.stream().filter(fault -> fault.kind() == kind).findFirst();
  }

  /** How long a fault of this call lasts; nothing where it has none of the kind. */
  Duration lasts(Fault.Kind kind) {
    return find(kind).map(Fault::lasts).orElse(Duration.ZERO);
  }

  /** Takes one of the launches that the account may ask for, or throws where it has none left. */
  void requireLaunch() {
    LaunchLimit limit = scenario.launches();
    if (limit == null) {
      return;
    }
    Instant ahead = now.plus(limit.every().multipliedBy(limit.burst() - 1L));
    Instant next = world.launchedUntil();
    if (next.isAfter(ahead)) {
      throw new BackendException.RateLimited(
          "the simulated cloud accepts no more launches now", Duration.between(ahead, next));
    }
    world.launchedUntil((next.isBefore(now) ? now : next).plus(limit.every()));
  }

  /**
   * Throws what keeps the call from making something. Not asked where the thing is there already: a
   * cloud that says so would say that nothing was made.
   */
  void requireRoom() {
    if (has(Fault.Kind.QUOTA)) {
      throw new BackendException.QuotaExceeded(
          "the account may not have more in the simulated cloud");
    }
    if (has(Fault.Kind.NO_CAPACITY)) {
      throw new BackendException.NoCapacity("the simulated cloud is sold out at the moment");
    }
  }
}
