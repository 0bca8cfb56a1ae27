package dev.berth.control.offers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.control.MachineConnector;
import dev.berth.decisions.OfferAnswer;
import dev.berth.decisions.OfferRequirement;
import dev.berth.decisions.OfferView;
import dev.berth.model.Availability;
import dev.berth.model.Candidate;
import dev.berth.model.Fleet;
import dev.berth.model.PolicyBound;
import dev.berth.model.Wishes;
import dev.berth.model.config.AcceleratorVendor;
import dev.berth.model.config.CpuArchitecture;
import dev.berth.model.config.FleetNodes;
import dev.berth.model.config.Range;
import dev.berth.model.offers.CatalogItem;
import dev.berth.model.offers.OfferFilter;
import dev.berth.spi.Compute;
import dev.berth.spi.QualifiedOffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * What the cache answers is what a scan of all offers of all backends finds, each of which was
 * asked for everything.
 */
final class OfferAgreementTest {
  private static final int REQUIREMENTS = 1_000;
  private static final List<String> GPUS = List.of("A100", "H100", "L4", "RTX4090");

  private final Random random = new Random(7);

  /** The offers of one world, and what a scan looks at. */
  private record Sold(OfferWorld world, List<Candidate> all) {}

  private Sold sold(Limits limits) throws InterruptedException {
    OfferWorld world = new OfferWorld(limits);
    world.live("live", items(300).toArray(CatalogItem[]::new)).account = this::qualified;
    world.catalogued("cloud", items(3_000)).account = this::qualified;
    world.live("own@main", items(50).toArray(CatalogItem[]::new));
    world.live("own@other", items(50).toArray(CatalogItem[]::new));
    return new Sold(world, scan(world));
  }

  /** Everything that a backend has, asked for everything and all of it qualified. */
  private static List<Candidate> scan(OfferWorld world) {
    List<Candidate> all = new ArrayList<>();
    world.backends.forEach(
        (key, compute) -> {
          TestSeller seller = (TestSeller) compute;
          List<CatalogItem> items =
              world.catalog.containsKey(key)
                  ? world.catalog.get(key).content().offers()
                  : seller.items;
          seller
              .qualify(items)
              .forEach(
                  offer ->
                      all.add(
                          Seller.of(
                                  key,
                                  "cloud",
                                  (Compute) seller,
                                  MachineConnector.Equipment.BY_BACKEND)
                              .candidate(offer)));
        });
    return all;
  }

  @Test
  void theCacheFindsWhatAScanFinds() throws InterruptedException {
    Limits usual = Limits.USUAL;
    Sold sold = sold(usual);
    int found = 0;
    for (int i = 0; i < REQUIREMENTS; i++) {
      OfferRequirement requirement = requirement();
      OfferAnswer expected = OfferView.of(sold.all(), true, Instant.MAX).offers(requirement);
      sold.world().cache.want(Map.of(requirement, Instant.MIN));
      sold.world().settle();
      OfferAnswer answer =
          sold.world()
              .cache
              .await(List.of(requirement), usual.most(), Duration.ZERO)
              .offers(requirement);
      if (!answer.complete()) {
        sold.world().settle();
        answer = sold.world().cache.view().offers(requirement);
      }
      assertThat(answer.complete()).isTrue();
      assertThat(answer.candidates())
          .as("%s", requirement)
          .containsExactlyElementsOf(expected.candidates());
      found += expected.candidates().isEmpty() ? 0 : 1;
    }
    assertThat(found).as("requirements that find something").isBetween(400, 999);
  }

  @Test
  void whatIsCutOffIsTheDearest() throws InterruptedException {
    Limits usual = Limits.USUAL;
    Sold sold =
        sold(
            new Limits(
                usual.fresh(),
                usual.soon(),
                usual.deadline(),
                usual.giveUp(),
                usual.keep(),
                20,
                100,
                usual.atOnce(),
                usual.remembered()));
    for (int i = 0; i < REQUIREMENTS; i++) {
      OfferRequirement requirement = requirement();
      List<Candidate> expected =
          of("cloud", OfferView.of(sold.all(), true, Instant.MAX).offers(requirement));
      List<Candidate> found = of("cloud", sold.world().ask(requirement));
      assertThat(found).hasSizeLessThanOrEqualTo(20);
      assertThat(expected.subList(0, found.size())).isEqualTo(found);
    }
  }

  private static List<Candidate> of(String backend, OfferAnswer answer) {
    return answer.candidates().stream()
        .filter(candidate -> candidate.backend().equals(backend))
        .toList();
  }

  private List<CatalogItem> items(int number) {
    List<CatalogItem> items = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      int gpus = chance(50) ? 0 : 1 << random.nextInt(4);
      items.add(
          new CatalogItem(
              "cloud",
              "type-" + random.nextInt(60),
              "region-" + random.nextInt(4),
              chance(50) ? null : "zone-" + random.nextInt(3),
              // Many cost the same, so that the order of those matters.
              random.nextInt(40) / 10.0,
              1 << random.nextInt(7),
              chance(80) ? CpuArchitecture.X86 : CpuArchitecture.ARM,
              1024L << random.nextInt(9),
              gpus == 0
                  ? null
                  : new CatalogItem.Gpu(
                      AcceleratorVendor.NVIDIA,
                      GPUS.get(random.nextInt(GPUS.size())),
                      gpus,
                      chance(50) ? 40_960 : 81_920),
              chance(50) ? null : 1024L * (1 + random.nextInt(400)),
              chance(30),
              chance(10) ? List.of("odd") : List.of(),
              chance(20) ? "{\"id\":" + i + "}" : CatalogItem.NO_PROVIDER_DATA,
              List.of()));
    }
    return items;
  }

  /** Depends on the offer alone, so that every look sees the same. */
  private Optional<QualifiedOffer> qualified(QualifiedOffer offer) {
    CatalogItem item = offer.item();
    int sort = Math.floorMod(item.instanceType().hashCode() + item.region().hashCode(), 10);
    return switch (sort) {
      case 0 -> Optional.empty();
      case 1 -> Optional.of(new QualifiedOffer(item, Availability.NO_QUOTA, offer.zones()));
      case 2, 3 ->
          Optional.of(
              new QualifiedOffer(
                  item,
                  Availability.AVAILABLE,
                  item.zone() == null ? List.of("zone-0", "ZONE-1") : offer.zones()));
      default -> Optional.of(offer);
    };
  }

  private OfferRequirement requirement() {
    if (chance(20)) {
      return OfferRequirement.of(chance(70) ? "main" : "other", filter());
    }
    Wishes wishes =
        new Wishes(
            chance(20) ? null : "main",
            chance(20) ? List.of(chance(50) ? "live" : "cloud") : List.of(),
            filter(),
            null,
            Wishes.Machines.USUAL,
            chance(20) ? List.of(bound()) : List.of(),
            null);
    return chance(90)
        ? OfferRequirement.of(wishes)
        : OfferRequirement.of(
            new Fleet.Spec(
                wishes, new FleetNodes(0, 0, null), false, 1, Duration.ofMinutes(5), Map.of()));
  }

  private PolicyBound bound() {
    return new PolicyBound(
        "p",
        List.of(),
        chance(50) ? List.of("region-*") : List.of(),
        List.of(),
        chance(30) ? List.of("live") : List.of(),
        chance(30) ? List.of("region-1") : List.of(),
        chance(30) ? List.of("type-1*") : List.of(),
        chance(30),
        chance(30) ? 2.0 : null,
        chance(30) ? 2 : null);
  }

  private OfferFilter filter() {
    return new OfferFilter(
        Set.of(),
        chance(20) ? words("region-", 4, "zone-", 3) : Set.of(),
        chance(20) ? words("zone-", 4, "ZONE-", 3) : Set.of(),
        Set.of(),
        chance(15) ? words("type-", 60, "TYPE-", 60) : Set.of(),
        chance(30) ? Range.atLeast(1 << random.nextInt(6)) : null,
        chance(15) ? CpuArchitecture.ARM : null,
        chance(30) ? new Range<>(null, 1024L << random.nextInt(9)) : null,
        chance(20) ? Range.atLeast(1024L * random.nextInt(300)) : null,
        chance(50) ? gpu() : OfferFilter.Gpu.ANY,
        chance(30) ? chance(50) : null,
        chance(30) ? new Range<>(null, random.nextInt(40) / 10.0) : null,
        chance(10) ? Set.of() : null,
        false);
  }

  private OfferFilter.Gpu gpu() {
    return new OfferFilter.Gpu(
        chance(10) ? AcceleratorVendor.AMD : null,
        chance(50)
            ? Set.of(GPUS.get(random.nextInt(GPUS.size())).toLowerCase(Locale.ROOT))
            : Set.of(),
        count(),
        chance(20) ? Range.atLeast(81_920L) : null,
        chance(20) ? Range.atLeast(160_000L) : null,
        null);
  }

  private @Nullable Range<Integer> count() {
    return chance(30)
        ? null
        : chance(50) ? Range.atLeast(0) : Range.atLeast(1 << random.nextInt(4));
  }

  private Set<String> words(String one, int most, String other, int mostOther) {
    Set<String> words = new HashSet<>();
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      words.add(chance(70) ? one + random.nextInt(most) : other + random.nextInt(mostOther));
    }
    return words;
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }
}
