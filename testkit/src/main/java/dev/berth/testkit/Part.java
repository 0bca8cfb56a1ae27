package dev.berth.testkit;

import dev.berth.spi.Compute;
import dev.berth.spi.Identity;
import dev.berth.spi.Trait;
import dev.berth.spi.Traits;
import java.util.Optional;
import java.util.Set;

/** Something that a backend must be, or be made of, for a check to make sense. */
public enum Part {
  /** It sells machines or jobs. */
  OFFERS,
  /** It makes machines. */
  MACHINES,
  /** It gives containers, and no access to the machine below. */
  CONTAINERS,
  /** It makes things that can be listed and deleted: machines, volumes, gateways. */
  THINGS,
  /** It has machines that are there by themselves. */
  HOSTS,
  /** It runs jobs. */
  JOBS,
  /** It knows a key again, and makes one thing for it. */
  KEYED,
  /** It makes two things when it is asked twice, and finds both. */
  LOOKUP,
  /** Jobs are run by a real shell, not by a simulation of one. */
  SHELL;

  private static final Set<Trait> MADE_BESIDES_MACHINES =
      Set.of(
          Trait.GROUPS,
          Trait.VOLUMES,
          Trait.PLACEMENT_GROUPS,
          Trait.GATEWAYS,
          Trait.GATEWAY_LOAD_BALANCERS);

  /** Why it is not there by the nature of the backend; empty where it is, or should be. */
  Optional<String> lacking(Trial trial) {
    Compute compute = trial.compute();
    Traits traits = compute.traits();
    boolean lookup = compute.identity() instanceof Identity.Lookup;
    return switch (this) {
      case OFFERS -> unless(traits.base() != Traits.Base.HOSTS, "nothing is bought of hosts");
      case MACHINES -> unless(traits.base() == Traits.Base.MACHINES, "it makes no machines");
      case CONTAINERS ->
          unless(traits.base() == Traits.Base.CONTAINERS, "it gives machines, and no containers");
      case THINGS -> unless(makesThings(traits), "it makes nothing but jobs");
      case HOSTS -> unless(traits.base() == Traits.Base.HOSTS, "its machines are bought");
      case JOBS ->
          unless(
              traits.base() != Traits.Base.MACHINES || compute.runtime().isPresent(),
              "Berth brings its own engine to these machines");
      case KEYED -> unless(!lookup, "its identity is looked up, so asking twice makes two");
      case LOOKUP -> unless(lookup, "it knows a key again by itself");
      case SHELL -> unless(trial.hasRealShell(), "the commands of its jobs are simulated");
    };
  }

  private static boolean makesThings(Traits traits) {
    return traits.base() == Traits.Base.MACHINES
        || (traits.base() == Traits.Base.CONTAINERS
            && MADE_BESIDES_MACHINES.stream().anyMatch(traits::has));
  }

  private static Optional<String> unless(boolean there, String reason) {
    return there ? Optional.empty() : Optional.of(reason);
  }
}
