package dev.berth.testkit.broken;

import dev.berth.model.offers.CatalogItem;
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

/** Does as another opened backend does. */
class ForwardingCompute implements Compute {
  final Compute sound;

  ForwardingCompute(Compute sound) {
    this.sound = sound;
  }

  @Override
  public Traits traits() {
    return sound.traits();
  }

  @Override
  public Identity identity() {
    return sound.identity();
  }

  @Override
  public Reach reach() {
    return sound.reach();
  }

  @Override
  public Offers offers() {
    return sound.offers();
  }

  @Override
  public List<OfferSource> sources() {
    return sound.sources();
  }

  @Override
  public Optional<DiskChoice> disk(CatalogItem item) {
    return sound.disk(item);
  }

  @Override
  public BootWay bootWay(CatalogItem item) {
    return sound.bootWay(item);
  }

  @Override
  public List<QualifiedOffer> qualify(List<CatalogItem> items) {
    return sound.qualify(items);
  }

  @Override
  public CallLimits callLimits() {
    return sound.callLimits();
  }

  @Override
  public Duration provisioningTimeout(String instanceType) {
    return sound.provisioningTimeout(instanceType);
  }

  @Override
  public List<OwnMachine> ownMachines() {
    return sound.ownMachines();
  }

  @Override
  public Optional<Provisioner> provisioner() {
    return sound.provisioner();
  }

  @Override
  public Optional<JobRuntime> runtime() {
    return sound.runtime();
  }

  @Override
  public Optional<Volumes> volumes() {
    return sound.volumes();
  }

  @Override
  public Optional<PlacementGroups> placementGroups() {
    return sound.placementGroups();
  }

  @Override
  public Optional<LoadBalancers> loadBalancers() {
    return sound.loadBalancers();
  }

  @Override
  public Optional<JobQueue> queue() {
    return sound.queue();
  }

  @Override
  public Optional<Rewriting> rewriting() {
    return sound.rewriting();
  }

  @Override
  public Optional<GpuMetrics> gpuMetrics() {
    return sound.gpuMetrics();
  }

  @Override
  public void close() {
    sound.close();
  }
}
