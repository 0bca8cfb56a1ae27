package dev.berth.control.offers;

import dev.berth.control.MachineConnector;
import dev.berth.model.Boot;
import dev.berth.model.Candidate;
import dev.berth.model.DiskOption;
import dev.berth.model.offers.CatalogItem;
import dev.berth.spi.BootWay;
import dev.berth.spi.Compute;
import dev.berth.spi.QualifiedOffer;
import dev.berth.spi.Trait;
import dev.berth.spi.Traits;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A backend whose offers can be bought.
 *
 * @param key its name, with its project where it belongs to one
 * @param abilities what can be done with what is bought there, whatever it is
 * @param boots what machines that are bought there do first
 */
record Seller(
    String key,
    String type,
    Compute compute,
    Candidate.Abilities abilities,
    MachineConnector.Boots boots) {
  static Seller of(String key, String type, Compute compute, MachineConnector.Equipment equipment) {
    return new Seller(
        key, type, compute, abilities(compute, equipment.execution()), equipment.boots());
  }

  /** An offer of this backend, with what can be done there. */
  Candidate candidate(QualifiedOffer offer) {
    CatalogItem item = offer.item();
    return new Candidate(
        key,
        type,
        item,
        offer.availability(),
        offer.zones(),
        disk(item),
        new Candidate.Abilities(
            abilities.machines(),
            abilities.privileged(),
            abilities.severalNodes(),
            abilities.reservations(),
            abilities.instanceVolumes(),
            abilities.placementGroups(),
            compute.provisioningTimeout(item.instanceType()),
            abilities.execution(),
            boot(item)));
  }

  /** Nothing is offered that could not be told what to do first. */
  private Boot boot(CatalogItem item) {
    BootWay way = compute.bootWay(item);
    Boot boot = boots.in(way);
    way.require(boot.text());
    return boot;
  }

  private @Nullable DiskOption disk(CatalogItem item) {
    return item.diskMib() != null
        ? null
        : compute
            .disk(item)
            .map(disk -> DiskOption.smallest(disk.minMib(), disk.maxMib(), disk.pricePerGib()))
            .orElse(null);
  }

  private static Candidate.Abilities abilities(Compute compute, Candidate.Execution execution) {
    Traits traits = compute.traits();
    return new Candidate.Abilities(
        traits.base() == Traits.Base.MACHINES,
        traits.has(Trait.PRIVILEGED),
        traits.has(Trait.MULTI_NODE),
        traits.has(Trait.RESERVATIONS),
        traits.has(Trait.INSTANCE_VOLUMES),
        placementGroups(compute),
        Duration.ZERO,
        execution,
        Boot.NONE);
  }

  private static Candidate.PlacementGroups placementGroups(Compute compute) {
    if (!compute.traits().has(Trait.PLACEMENT_GROUPS)) {
      return Candidate.PlacementGroups.NONE;
    }
    return compute
        .placementGroups()
        .map(
            groups ->
                groups.allowReservations()
                    ? Candidate.PlacementGroups.ALL
                    : Candidate.PlacementGroups.UNRESERVED)
        .orElse(Candidate.PlacementGroups.NONE);
  }
}
