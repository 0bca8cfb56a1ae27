package dev.berth.decisions;

import dev.berth.model.Availability;
import dev.berth.model.Candidate;
import dev.berth.model.Fleet;
import dev.berth.model.config.AcceleratorVendor;
import dev.berth.model.config.Blocks;
import dev.berth.model.config.CpuArchitecture;
import dev.berth.model.config.FleetConfiguration;
import dev.berth.model.config.FleetNodes;
import dev.berth.model.config.FleetPlacement;
import dev.berth.model.config.TimeLimit;
import dev.berth.model.offers.CatalogItem;
import dev.berth.planning.fleet.FleetPlanner;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What providers of tests sell, and what they can do. */
final class Offers {
  static final Candidate.Abilities CONTAINERS =
      new Candidate.Abilities(false, false, false, false, false, Duration.ofMinutes(10));
  static final Candidate.Abilities MACHINES =
      new Candidate.Abilities(true, true, true, true, true, Duration.ofMinutes(10));
  static final Candidate.Abilities GROUPED = MACHINES.with(Candidate.PlacementGroups.ALL);
  static final String BACKEND = "rented";

  private Offers() {}

  /** A machine of 16 processors in the first region. */
  static Candidate machine(String type, double price) {
    return machine(type, price, "eu-1");
  }

  static Candidate machine(String type, double price, String region, String... zones) {
    return offer(item(type, price, region, false, 0), MACHINES, zones);
  }

  /** One that can be in a placement group. */
  static Candidate grouped(String type, double price, String region, String... zones) {
    return offer(item(type, price, region, false, 0), GROUPED, zones);
  }

  static Candidate spotMachine(String type, double price) {
    return offer(item(type, price, "eu-1", true, 0), MACHINES);
  }

  static Candidate gpuMachine(String type, double price, int gpus) {
    return offer(item(type, price, "eu-1", false, gpus), MACHINES);
  }

  /** A place for one container. */
  static Candidate container(String type, double price) {
    return offer(item(type, price, "eu-1", false, 0), CONTAINERS);
  }

  static Candidate offer(CatalogItem item, Candidate.Abilities abilities, String... zones) {
    return new Candidate(BACKEND, "cloud", item, Availability.AVAILABLE, List.of(zones), abilities);
  }

  static CatalogItem item(String type, double price, String region, boolean spot, int gpus) {
    return new CatalogItem(
        "cloud",
        type,
        region,
        null,
        price,
        16,
        CpuArchitecture.X86,
        65_536,
        gpus == 0 ? null : new CatalogItem.Gpu(AcceleratorVendor.NVIDIA, "A100", gpus, 81_920),
        204_800L,
        spot,
        List.of(),
        CatalogItem.NO_PROVIDER_DATA,
        List.of());
  }

  /** The same offers, of which some could not be had lately. */
  static OfferView failing(OfferView view, Map<String, Instant> failures) {
    ListedOffers listed = (ListedOffers) view;
    return OfferView.of(listed.candidates(), listed.complete(), listed.asOf(), failures);
  }

  static OfferView market(Candidate... candidates) {
    return OfferView.of(List.of(candidates), true, Instant.MAX);
  }

  /** A fleet of any machines. */
  static Fleet.Spec fleet(int min, int target, @Nullable Integer max) {
    return fleet(new FleetNodes(min, target, max), Blocks.WHOLE, null, null);
  }

  static Fleet.Spec fleet(
      FleetNodes nodes,
      Blocks blocks,
      @Nullable FleetPlacement placement,
      @Nullable Duration idle) {
    return FleetPlanner.spec(
        configuration(nodes, blocks, placement, idle == null ? null : TimeLimit.of(idle)));
  }

  static FleetConfiguration configuration(
      FleetNodes nodes,
      Blocks blocks,
      @Nullable FleetPlacement placement,
      @Nullable TimeLimit idle) {
    return restricted(nodes, blocks, placement, idle, null, null, null, null);
  }

  /** A fleet of some machines only. */
  static FleetConfiguration restricted(
      FleetNodes nodes,
      Blocks blocks,
      @Nullable FleetPlacement placement,
      @Nullable TimeLimit idle,
      @Nullable String reservation,
      @Nullable List<String> zones,
      @Nullable List<String> instanceTypes,
      @Nullable Double maxPrice) {
    return new FleetConfiguration(
        null,
        placement,
        blocks,
        nodes,
        reservation,
        null,
        null,
        null,
        zones,
        instanceTypes,
        null,
        null,
        maxPrice,
        idle,
        null,
        null,
        null,
        List.of());
  }
}
