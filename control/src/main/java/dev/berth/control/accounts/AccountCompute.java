package dev.berth.control.accounts;

import dev.berth.model.offers.CatalogItem;
import dev.berth.model.offers.OfferFilter;
import dev.berth.spi.BootWay;
import dev.berth.spi.CallLimits;
import dev.berth.spi.Compute;
import dev.berth.spi.DiskChoice;
import dev.berth.spi.GpuMetrics;
import dev.berth.spi.Identity;
import dev.berth.spi.JobQueue;
import dev.berth.spi.JobRuntime;
import dev.berth.spi.LoadBalancers;
import dev.berth.spi.OfferSource;
import dev.berth.spi.Offers;
import dev.berth.spi.OwnMachine;
import dev.berth.spi.PlacementGroups;
import dev.berth.spi.Provisioner;
import dev.berth.spi.QualifiedOffer;
import dev.berth.spi.Reach;
import dev.berth.spi.Rewriting;
import dev.berth.spi.Traits;
import dev.berth.spi.Volumes;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A backend all of whose calls to its provider pass the gateway of its account. */
final class AccountCompute implements Compute {
  private final Compute backend;
  private final AccountGateway gateway;
  private final Runnable beforeChange;

  AccountCompute(Compute backend, AccountGateway gateway, Runnable beforeChange) {
    this.backend = backend;
    this.gateway = gateway;
    this.beforeChange = beforeChange;
  }

  @Override
  public Traits traits() {
    return backend.traits();
  }

  @Override
  public Identity identity() {
    return backend.identity();
  }

  @Override
  public Reach reach() {
    return backend.reach();
  }

  @Override
  public Offers offers() {
    return switch (backend.offers()) {
      case Offers.Live(OfferSource source) -> new Offers.Live(new Source(source));
      case Offers.Catalogued catalogued -> catalogued;
      case Offers.OwnMachines own -> own;
    };
  }

  @Override
  public List<OfferSource> sources() {
    return backend.sources().stream().<OfferSource>map(Source::new).toList();
  }

  /** A source whose questions pass the gateway. */
  private final class Source implements OfferSource {
    private final OfferSource source;

    Source(OfferSource source) {
      this.source = source;
    }

    @Override
    public String name() {
      return source.name();
    }

    @Override
    public Kind kind() {
      return source.kind();
    }

    @Override
    public Fetched fetch(OfferFilter filter, boolean balance) {
      return gateway.read(() -> source.fetch(filter, balance));
    }

    @Override
    public List<String> check(List<CatalogItem> items) {
      return source.check(items);
    }
  }

  @Override
  public Optional<DiskChoice> disk(CatalogItem item) {
    return backend.disk(item);
  }

  @Override
  public BootWay bootWay(CatalogItem item) {
    return backend.bootWay(item);
  }

  @Override
  public List<QualifiedOffer> qualify(List<CatalogItem> items) {
    return gateway.read(() -> backend.qualify(items));
  }

  @Override
  public CallLimits callLimits() {
    return backend.callLimits();
  }

  @Override
  public Duration provisioningTimeout(String instanceType) {
    return backend.provisioningTimeout(instanceType);
  }

  @Override
  public List<OwnMachine> ownMachines() {
    return gateway.read(backend::ownMachines);
  }

  @Override
  public Optional<Provisioner> provisioner() {
    return backend
        .provisioner()
        .map(provisioner -> new AccountProvisioner(provisioner, gateway, beforeChange));
  }

  @Override
  public Optional<JobRuntime> runtime() {
    return backend.runtime().map(runtime -> new AccountRuntime(runtime, gateway, beforeChange));
  }

  @Override
  public Optional<Volumes> volumes() {
    return backend.volumes();
  }

  @Override
  public Optional<PlacementGroups> placementGroups() {
    return backend.placementGroups();
  }

  @Override
  public Optional<LoadBalancers> loadBalancers() {
    return backend.loadBalancers();
  }

  @Override
  public Optional<JobQueue> queue() {
    return backend.queue().map(queue -> ids -> gateway.read(() -> queue.positions(ids)));
  }

  @Override
  public Optional<Rewriting> rewriting() {
    return backend.rewriting();
  }

  @Override
  public Optional<GpuMetrics> gpuMetrics() {
    return backend
        .gpuMetrics()
        .map(metrics -> jobs -> gateway.read(() -> metrics.utilisation(jobs)));
  }

  @Override
  public void close() {
    backend.close();
  }
}
