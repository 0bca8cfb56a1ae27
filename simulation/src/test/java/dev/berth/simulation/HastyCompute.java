package dev.berth.simulation;

import dev.berth.model.offers.CatalogItem;
import dev.berth.spi.CallLimits;
import dev.berth.spi.Compute;
import dev.berth.spi.GpuMetrics;
import dev.berth.spi.Identity;
import dev.berth.spi.JobRuntime;
import dev.berth.spi.Offers;
import dev.berth.spi.OwnMachine;
import dev.berth.spi.PlacementGroups;
import dev.berth.spi.Provisioner;
import dev.berth.spi.QualifiedOffer;
import dev.berth.spi.Reach;
import dev.berth.spi.Traits;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A backend whose reads lag, and that says that they do not: absence counts at once. */
record HastyCompute(Compute sound) implements Compute {
  @Override
  public Identity identity() {
    return switch (sound.identity()) {
      case Identity.Token _ -> new Identity.Token();
      case Identity.UniqueName _ -> new Identity.UniqueName();
      case Identity.Lookup(var _, Duration callDeadline, var _) ->
          new Identity.Lookup(Duration.ZERO, callDeadline);
    };
  }

  @Override
  public Traits traits() {
    return sound.traits();
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
  public List<QualifiedOffer> qualify(List<CatalogItem> items) {
    return sound.qualify(items);
  }

  @Override
  public CallLimits callLimits() {
    return sound.callLimits();
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
  public Optional<PlacementGroups> placementGroups() {
    return sound.placementGroups();
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
