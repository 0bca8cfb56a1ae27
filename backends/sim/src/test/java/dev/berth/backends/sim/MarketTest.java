package dev.berth.backends.sim;

import static dev.berth.backends.sim.SimFixture.PLACE;
import static dev.berth.backends.sim.SimFixture.SPOT;
import static dev.berth.backends.sim.SimFixture.job;
import static dev.berth.backends.sim.SimFixture.machine;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.Availability;
import dev.berth.model.JobObservation;
import dev.berth.model.Place;
import dev.berth.model.offers.CatalogItem;
import dev.berth.model.offers.OfferFilter;
import dev.berth.spi.BackendException;
import dev.berth.spi.CreateRequest;
import dev.berth.spi.DiskChoice;
import dev.berth.spi.Found;
import dev.berth.spi.OfferSource;
import dev.berth.spi.Offers;
import dev.berth.spi.QualifiedOffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MarketTest {
  private static final Place GPU =
      new Place("sim-west", null, "sim-a100-8", false, 17.6, "{}", null, null);

  @Test
  void offers_stand_for_every_type_and_zone_with_and_without_spot() {
    List<CatalogItem> items = offers(SimFixture.of(""));
    assertThat(items).hasSize(8 * 6 * 2);
    assertThat(items)
        .filteredOn(item -> item.instanceType().equals("sim-a100-8") && item.spot())
        .hasSize(6)
        .allSatisfy(
            item -> {
              assertThat(item.price()).isEqualTo(7.6);
              assertThat(item.gpu())
                  .isNotNull()
                  .satisfies(gpu -> assertThat(gpu.count()).isEqualTo(8));
            });
    assertThat(offers(SimFixture.of("without: [spot]"))).noneMatch(CatalogItem::spot);
  }

  @Test
  void spot_prices_change_with_time() {
    SimFixture sim =
        SimFixture.of(
            "scenario: {spot: {prices: [{after: 1m, factor: 2}, {after: 2m, factor: 3}]}}");
    assertThat(spotPrice(sim)).isEqualTo(0.03);
    sim.clock.passSeconds(60);
    assertThat(spotPrice(sim)).isEqualTo(0.06);
    sim.clock.passSeconds(60);
    assertThat(spotPrice(sim)).isEqualTo(0.09);
  }

  @Test
  void a_disk_that_is_chosen_is_within_what_the_type_has() {
    SimFixture sim =
        SimFixture.of(
            """
            gives: machines
            scenario:
              instance_types:
                - {name: sim-cpu-2, cpus: 2, memory: 8GB, disk: 50GB, max_disk: 200GB,
                   disk_price: 0.001, price: 0.08}
            """);
    CatalogItem offer = offers(sim).getFirst();
    assertThat(offer.diskMib()).isNull();
    assertThat(sim.compute.disk(offer)).contains(new DiskChoice(50 * 1024, 200 * 1024, 0.001));
    assertThat(sim.create(withDisk(machine("kept", PLACE), 200 * 1024)).ref().id()).isNotEmpty();
    assertThatThrownBy(() -> sim.create(withDisk(machine("larger", PLACE), 201 * 1024)))
        .isInstanceOf(BackendException.Permanent.class)
        .hasMessageContaining("sim-cpu-2 has disks of 50GB to 200GB, not of 201GB");
  }

  private static CreateRequest.Machine withDisk(CreateRequest.Machine machine, long diskMib) {
    return new CreateRequest.Machine(
        machine.marks(),
        machine.labels(),
        machine.place(),
        machine.offer(),
        diskMib,
        machine.boot(),
        machine.sshKeys(),
        machine.volumes(),
        machine.placementGroup());
  }

  private static double spotPrice(SimFixture sim) {
    return offers(sim).stream().filter(CatalogItem::spot).findFirst().orElseThrow().price();
  }

  @Test
  void offers_qualify_by_region_stock_and_quota() {
    SimFixture sim =
        SimFixture.of(
            """
            regions: [sim-north, sim-west]
            scenario:
              stock: [{instance_type: sim-cpu-2, zone: sim-north-a, count: 0, until: 1m}]
              quotas: [{region: sim-west, gpus: 4}]
            """);
    List<CatalogItem> items = offers(sim);
    List<QualifiedOffer> qualified = sim.compute.qualify(items);
    assertThat(qualified).extracting(offer -> offer.item().region()).doesNotContain("sim-south");
    assertThat(qualified)
        .allSatisfy(offer -> assertThat(offer.availability()).isEqualTo(expected(offer.item())));
    sim.clock.passSeconds(60);
    assertThat(sim.compute.qualify(items))
        .filteredOn(offer -> offer.item().region().equals("sim-north"))
        .allMatch(offer -> offer.availability() == Availability.AVAILABLE);
    CatalogItem unknown = items.getFirst();
    assertThat(
            SimFixture.of("scenario: {regions: [{name: x, zones: [y]}]}")
                .compute
                .qualify(List.of(unknown)))
        .isEmpty();
  }

  private static Availability expected(CatalogItem item) {
    if ("sim-north-a".equals(item.zone()) && item.instanceType().equals("sim-cpu-2")) {
      return Availability.NOT_AVAILABLE;
    }
    boolean manyGpus = item.gpu() != null && item.gpu().count() > 4;
    return item.region().equals("sim-west") && manyGpus
        ? Availability.NO_QUOTA
        : Availability.AVAILABLE;
  }

  @Test
  void stock_is_taken_given_back_and_chosen_by_zone() {
    SimFixture sim =
        SimFixture.of("gives: machines\nscenario: {stock: [{instance_type: sim-cpu-2, count: 1}]}");
    Place any = PLACE.in(null);
    Found first = sim.create(machine("a", any));
    assertThat(first.ref().data()).containsEntry("zone", "sim-north-a");
    assertThat(sim.create(machine("b", any)).ref().data()).containsEntry("zone", "sim-north-b");
    assertThatThrownBy(() -> sim.create(machine("c", any)))
        .isInstanceOf(BackendException.NoCapacity.class)
        .hasMessage("the simulated cloud has no sim-cpu-2 left in sim-north");
    sim.provisioner().delete(first.ref());
    assertThatThrownBy(() -> sim.create(machine("d", any)))
        .isInstanceOf(BackendException.NoCapacity.class);
    sim.clock.passSeconds(1);
    assertThat(sim.create(machine("e", any)).ref().data()).containsEntry("zone", "sim-north-a");
  }

  @Test
  void quotas_bound_instances_and_gpus() {
    SimFixture sim =
        SimFixture.of("scenario: {quotas: [{region: sim-west, gpus: 8, instances: 2}]}");
    sim.jobs().start(job("a", "sleep 5").at(GPU));
    assertThatThrownBy(() -> sim.jobs().start(job("b").at(GPU)))
        .isInstanceOf(BackendException.QuotaExceeded.class);
    Place cpu = new Place("sim-west", null, "sim-cpu-2", false, 0, "{}", null, null);
    sim.jobs().start(job("c", "sleep 5").at(cpu));
    assertThatThrownBy(() -> sim.jobs().start(job("d").at(cpu)))
        .isInstanceOf(BackendException.QuotaExceeded.class);
    sim.clock.passSeconds(7);
    sim.jobs().start(job("b").at(GPU));
  }

  @Test
  void reserved_machines_are_bounded_by_the_reservation() {
    SimFixture sim = SimFixture.of("scenario: {stock: [{count: 0}]}");
    Place reserved = PLACE.in(null).reserved("reserved-1");
    sim.jobs().start(job("a", "sleep 5").at(reserved));
    assertThatThrownBy(() -> sim.jobs().start(job("b").at(reserved)))
        .isInstanceOf(BackendException.NoCapacity.class);
  }

  @Test
  void jobs_wait_in_a_queue_where_the_scenario_has_one() {
    SimFixture sim =
        SimFixture.of("scenario: {queue: true, stock: [{instance_type: sim-cpu-2, count: 1}]}");
    sim.jobs().start(job("a", "sleep 10"));
    sim.jobs().start(job("b", "sleep 10"));
    sim.jobs().start(job("c", "sleep 10"));
    sim.jobs().start(job("d", "sleep 10"));
    assertThat(positions(sim)).isEqualTo(Map.of("b", 0, "c", 1, "d", 2));
    assertThat(sim.jobs().describe("b").providerStatus()).isEqualTo("queued at the provider");
    assertThat(sim.observe("b")).isEqualTo(new JobObservation.Prepared());
    sim.jobs().stop("b", Duration.ZERO);
    assertThat(sim.end("b").code()).isNull();

    // Nobody looks for a while: c got the place when a ended, and d when c ended.
    sim.clock.passSeconds(40);
    assertThat(sim.end("c").startedAt()).isEqualTo(SettableClock.START.plusSeconds(14));
    assertThat(sim.end("d").startedAt()).isEqualTo(SettableClock.START.plusSeconds(26));
    assertThat(positions(sim)).isEmpty();
  }

  private static Map<String, Integer> positions(SimFixture sim) {
    return sim.compute.queue().orElseThrow().positions(List.of("a", "b", "c", "d", "x"));
  }

  @Test
  void spot_machines_are_taken_with_and_without_notice() {
    SimFixture sim =
        SimFixture.of(
            """
            gives: machines
            scenario:
              spot:
                kills: [{at: 1m, notice: 20s}, {at: 30s, zone: sim-north-b}]
            """);
    Found told = sim.create(machine("told", SPOT));
    Found untold = sim.create(machine("untold", SPOT.in("sim-north-b")));
    Found paid = sim.create(machine("paid", PLACE));
    sim.clock.passSeconds(2);
    sim.jobs().start(job("a", "sleep 500").at(SPOT.on(told.ref().id())));

    sim.clock.passSeconds(27);
    assertThat(sim.provisioner().describe(untold.ref()).orElseThrow().interruptedAt()).isNull();
    sim.clock.passSeconds(1);
    assertThat(sim.state(untold.ref())).isEqualTo(Found.State.LEAVING);
    sim.clock.passSeconds(1);
    assertThat(sim.provisioner().describe(untold.ref())).isEmpty();

    sim.clock.passSeconds(9);
    Found noticed = sim.provisioner().describe(told.ref()).orElseThrow();
    assertThat(noticed.state()).isEqualTo(Found.State.READY);
    assertThat(noticed.interruptedAt()).isEqualTo(SettableClock.START.plusSeconds(60));
    assertThat(sim.jobs().describe("a").interruptedAt())
        .isEqualTo(SettableClock.START.plusSeconds(60));
    sim.clock.passSeconds(20);
    assertThat(sim.end("a").cause()).isEqualTo(JobObservation.Cause.INTERRUPTED);
    assertThat(sim.state(paid.ref())).isEqualTo(Found.State.READY);
  }

  @Test
  void spot_jobs_are_taken_by_chance_at_the_rate_asked_for() {
    SimFixture sim = SimFixture.of("scenario: {spot: {kills: [{per_hour: 1}]}}");
    for (int i = 0; i < 1000; i++) {
      sim.jobs().start(job("job-" + i, "sleep 1d").at(SPOT));
    }
    sim.clock.passSeconds(3600);
    long taken =
        sim
            .jobs()
            .observe(java.util.stream.IntStream.range(0, 1000).mapToObj(i -> "job-" + i).toList())
            .stream()
            .filter(JobObservation.Exited.class::isInstance)
            .count();
    // 1 - 1/e of them, by a seed that is always the same.
    assertThat(taken).isBetween(580L, 680L);
  }

  private static List<CatalogItem> offers(SimFixture sim) {
    OfferSource source = ((Offers.Live) sim.compute.offers()).source();
    return source.fetch(OfferFilter.ANY, false).items();
  }
}
