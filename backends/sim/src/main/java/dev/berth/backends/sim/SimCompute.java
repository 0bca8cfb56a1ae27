package dev.berth.backends.sim;

import dev.berth.backends.sim.scenario.LaunchLimit;
import dev.berth.backends.sim.scenario.SimScenario;
import dev.berth.model.Place;
import dev.berth.model.offers.CatalogItem;
import dev.berth.spi.BackendContext;
import dev.berth.spi.CallLimits;
import dev.berth.spi.Compute;
import dev.berth.spi.DiskChoice;
import dev.berth.spi.GpuMetrics;
import dev.berth.spi.Identity;
import dev.berth.spi.JobQueue;
import dev.berth.spi.JobRuntime;
import dev.berth.spi.LoadBalancers;
import dev.berth.spi.Offers;
import dev.berth.spi.PlacementGroups;
import dev.berth.spi.Provisioner;
import dev.berth.spi.QualifiedOffer;
import dev.berth.spi.Reach;
import dev.berth.spi.ResourceRef;
import dev.berth.spi.Rewriting;
import dev.berth.spi.Trait;
import dev.berth.spi.Traits;
import dev.berth.spi.Volumes;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An account at a simulated cloud. */
public final class SimCompute implements Compute {
  private final SimCloud cloud;
  private final Traits traits;
  private final Identity identity;
  private final SimMarketplace marketplace;
  private final SimConfig.Selling selling;
  private final SimProvisioner provisioner;
  private final SimJobs jobs;
  private final SimVolumes volumes;
  private final boolean runsJobs;

  SimCompute(SimConfig config, BackendContext context, SimCloud cloud) {
    this.cloud = cloud;
    this.traits = SimTraits.of(config);
    this.runsJobs = config.jobs() == SimConfig.JobsBy.CLOUD;
    this.identity = identity(config.identity(), cloud.scenario());
    this.selling = config.offers();
    this.marketplace = new SimMarketplace(cloud, config.regions(), traits);
    this.provisioner =
        new SimProvisioner(cloud, context.owner(), traits, identity, folders(config, context));
    this.jobs = new SimJobs(cloud, context.owner(), traits, identity, context.archives());
    this.volumes = new SimVolumes(cloud, context.owner());
  }

  /** Nothing outside of the memory stands for machines of a cloud that lives there. */
  private @Nullable SimFolders folders(SimConfig config, BackendContext context) {
    return runsJobs || config.state() == SimConfig.Keeping.MEMORY
        ? null
        : new SimFolders(cloud, context.dataDirectory().resolve("machines"));
  }

  private static Identity identity(SimConfig.Naming naming, SimScenario scenario) {
    return switch (naming) {
      case TOKEN -> new Identity.Token(scenario.delayOfReads());
      case UNIQUE_NAME -> new Identity.UniqueName(scenario.delayOfReads());
      case LOOKUP ->
          new Identity.Lookup(
              scenario.delayOfLists(), scenario.callDeadline(), scenario.delayOfDescribing());
    };
  }

  /** The cloud behind it, for whoever wants to see its trace. */
  public SimCloud cloud() {
    return cloud;
  }

  @Override
  public Traits traits() {
    return traits;
  }

  @Override
  public Identity identity() {
    return identity;
  }

  @Override
  public Reach reach() {
    return runsJobs ? Reach.ENGINE : Reach.FOLDER;
  }

  @Override
  public Offers offers() {
    return switch (selling) {
      case LIVE -> new Offers.Live(marketplace);
      case CATALOG -> new Offers.Catalogued(SimBackendType.NAME);
    };
  }

  @Override
  public List<QualifiedOffer> qualify(List<CatalogItem> items) {
    return marketplace.qualify(items);
  }

  @Override
  public Optional<DiskChoice> disk(CatalogItem item) {
    return marketplace.disk(item);
  }

  @Override
  public CallLimits callLimits() {
    SimScenario scenario = cloud.scenario();
    CallLimits limits = new CallLimits(scenario.concurrentCalls(), scenario.callsPerSecond());
    LaunchLimit launches = scenario.launches();
    return launches == null
        ? limits
        : limits.with(new CallLimits.Launches(launches.perSecond(), launches.burst()));
  }

  @Override
  public Optional<Provisioner> provisioner() {
    return Optional.of(provisioner);
  }

  @Override
  public Optional<JobRuntime> runtime() {
    return runsJobs ? Optional.of(jobs) : Optional.empty();
  }

  @Override
  public Optional<Volumes> volumes() {
    return traits.has(Trait.VOLUMES) ? Optional.of(volumes) : Optional.empty();
  }

  @Override
  public Optional<PlacementGroups> placementGroups() {
    return traits.has(Trait.PLACEMENT_GROUPS) ? Optional.of(new Neighbours()) : Optional.empty();
  }

  @Override
  public Optional<LoadBalancers> loadBalancers() {
    return traits.has(Trait.GATEWAY_LOAD_BALANCERS)
        ? Optional.of(new SimLoadBalancers(cloud))
        : Optional.empty();
  }

  @Override
  public Optional<JobQueue> queue() {
    return traits.has(Trait.QUEUE_POSITION) ? Optional.of(jobs::positions) : Optional.empty();
  }

  @Override
  public Optional<Rewriting> rewriting() {
    return traits.has(Trait.REWRITING) ? Optional.of(JobWishes::marked) : Optional.empty();
  }

  @Override
  public Optional<GpuMetrics> gpuMetrics() {
    return runsJobs && traits.has(Trait.GPU_METRICS)
        ? Optional.of(new SimGpuMetrics(cloud, jobs.own()))
        : Optional.empty();
  }

  /** Ends the watches, which are all that is held open. */
  @Override
  public void close() {
    jobs.close();
  }

  /** Machines are near each other when they are in the same zone. */
  private static final class Neighbours implements PlacementGroups {
    @Override
    public boolean suits(ResourceRef group, Place place) {
      String zone = group.data().get(Shown.ZONE);
      return group.region().equals(place.region())
          && (zone == null || place.zone() == null || zone.equals(place.zone()));
    }

    @Override
    public boolean allowReservations() {
      return true;
    }
  }
}
