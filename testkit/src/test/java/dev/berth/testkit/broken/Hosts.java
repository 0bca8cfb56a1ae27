package dev.berth.testkit.broken;

import dev.berth.backends.sim.SimConfig;
import dev.berth.model.JobRequest;
import dev.berth.model.Place;
import dev.berth.model.ResourceVector;
import dev.berth.model.offers.CatalogItem;
import dev.berth.model.offers.OfferFilter;
import dev.berth.spi.BackendException;
import dev.berth.spi.BackendType;
import dev.berth.spi.Compute;
import dev.berth.spi.Execution;
import dev.berth.spi.JobQueue;
import dev.berth.spi.JobRuntime;
import dev.berth.spi.LoadBalancers;
import dev.berth.spi.Offers;
import dev.berth.spi.OwnMachine;
import dev.berth.spi.PlacementGroups;
import dev.berth.spi.Provisioner;
import dev.berth.spi.Rewriting;
import dev.berth.spi.Trait;
import dev.berth.spi.Traits;
import dev.berth.spi.Volumes;
import java.nio.channels.ByteChannel;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A simulated cloud that looks like a machine that is there by itself: nothing is bought. */
public final class Hosts extends ForwardingCompute {
  private static final Traits TRAITS =
      Traits.of(Traits.Base.HOSTS)
          .without(
              Trait.IMAGES,
              Trait.PRIVILEGED,
              Trait.INSTANCE_VOLUMES,
              Trait.MULTI_NODE,
              Trait.EXEC,
              Trait.CONNECT,
              Trait.QUEUE_POSITION,
              Trait.REWRITING)
          .with(Trait.USAGE);

  private Hosts(Compute sound) {
    super(sound);
  }

  /** What the machine is made of below; asked when it is needed, for opening asks nobody. */
  private CatalogItem machine() {
    if (!(sound.offers() instanceof Offers.Live(var source))) {
      throw new IllegalStateException("the simulated cloud tells its offers itself");
    }
    return source.fetch(OfferFilter.ANY, false).items().getFirst();
  }

  /** The type of such machines. */
  public static BackendType<SimConfig> type(BackendType<SimConfig> type) {
    return Variant.opened(type, Hosts::new);
  }

  @Override
  public Traits traits() {
    return TRAITS;
  }

  @Override
  public Offers offers() {
    return new Offers.OwnMachines();
  }

  @Override
  public List<OwnMachine> ownMachines() {
    return List.of(
        new OwnMachine(
            "here",
            "here",
            "sim",
            new ResourceVector(8, machine().cpus(), machine().memoryMib(), 1024, Set.of()),
            List.of(),
            null));
  }

  @Override
  public Optional<Provisioner> provisioner() {
    return Optional.empty();
  }

  @Override
  public Optional<Volumes> volumes() {
    return Optional.empty();
  }

  @Override
  public Optional<PlacementGroups> placementGroups() {
    return Optional.empty();
  }

  @Override
  public Optional<LoadBalancers> loadBalancers() {
    return Optional.empty();
  }

  @Override
  public Optional<JobQueue> queue() {
    return Optional.empty();
  }

  @Override
  public Optional<Rewriting> rewriting() {
    return Optional.empty();
  }

  @Override
  public Optional<JobRuntime> runtime() {
    return super.runtime().map(HostRuntime::new);
  }

  private final class HostRuntime extends ForwardingRuntime {
    HostRuntime(JobRuntime sound) {
      super(sound);
    }

    @Override
    public Instant start(JobRequest request) {
      JobRuntime.requireOnly(request, TRAITS);
      return super.start(request.at(Place.of(machine())));
    }

    @Override
    public Execution exec(String attemptId, List<String> command) {
      throw new BackendException.Unsupported(Trait.EXEC);
    }

    @Override
    public ByteChannel connect(String attemptId, int port) {
      throw new BackendException.Unsupported(Trait.CONNECT);
    }
  }
}
