package dev.berth.backends.sim.scenario;

import dev.berth.spi.config.Setting;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a simulated cloud is like. What is not written is as in a calm one. */
public record SimScenario(
    @Setting("The regions; by default three with two zones each.") List<Region> regions,
    @Setting("The instance types; by default eight, with and without GPUs.")
        List<InstanceType> instanceTypes,
    @Setting("The networks of the account; by default main and isolated.") List<String> networks,
    @Setting("The quotas of the account.") List<Quota> quotas,
    @Setting("What is in stock.") List<Stock> stock,
    @Setting("The reservations; by default one machine of the first type.")
        List<Reservation> reservations,
    @Setting("The spot market.") @Nullable SpotMarket spot,
    @Setting(value = "How long machines and containers take to become ready.", fallback = "2s")
        Duration bootTime,
    @Setting(
            value = "How long resources take to disappear after they were deleted.",
            fallback = "1s")
        Duration deleteTime,
    @Setting(
            value = "How long a command takes that the cloud does not simulate.",
            fallback = "100ms")
        Duration commandTime,
    @Setting(value = "How long a job without commands takes.", fallback = "1s") Duration jobLength,
    @Setting(
            value = "With the identity lookup, how long new resources are missing from lists.",
            fallback = "1s")
        Duration visibleWithin,
    @Setting(
            "The delay of reads that the backend declares; by default the longest one of this"
                + " scenario.")
        @Nullable Duration declaredVisibleWithin,
    @Setting(
            value =
                "With the identity lookup, how long after a lost answer the call can still take"
                    + " effect.",
            fallback = "2s")
        Duration callDeadline,
    @Setting(value = "The maximum number of simultaneous calls.", fallback = "256", least = 1)
        int concurrentCalls,
    @Setting(value = "The maximum number of calls per second.", fallback = "100000", least = 1)
        int callsPerSecond,
    @Setting(
            "How often the account may request machines and containers; by default as often as"
                + " other calls.")
        @Nullable LaunchLimit launches,
    @Setting("How long calls take, by operation; 'all' applies to operations without an entry.")
        Map<String, Latency> latencies,
    @Setting("The faults.") List<Fault> faults,
    @Setting(value = "How far the cloud's clock is ahead of the server's.", fallback = "0s")
        Duration clockAhead,
    @Setting(value = "How far the cloud's clock is behind the server's.", fallback = "0s")
        Duration clockBehind,
    @Setting(value = "Whether jobs wait for stock instead of being refused.", fallback = "false")
        boolean queue,
    @Setting(
            value = "How many machines, volumes and jobs in the account belong to somebody else.",
            fallback = "0",
            least = 0)
        int foreign,
    @Setting("How busy the GPUs of jobs are; by default always 100 percent.")
        @Nullable GpuLoad gpuLoad) {
  /** The word for every operation that is not named by itself. */
  private static final String ALL = "all";

  public SimScenario {
    regions = regions.isEmpty() ? DefaultMarket.REGIONS : List.copyOf(regions);
    instanceTypes = instanceTypes.isEmpty() ? DefaultMarket.TYPES : List.copyOf(instanceTypes);
    networks = networks.isEmpty() ? DefaultMarket.NETWORKS : List.copyOf(networks);
    quotas = List.copyOf(quotas);
    stock = List.copyOf(stock);
    reservations =
        reservations.isEmpty()
            ? DefaultMarket.reservations(regions, instanceTypes)
            : List.copyOf(reservations);
    spot = spot == null ? SpotMarket.CALM : spot;
    gpuLoad = gpuLoad == null ? GpuLoad.FULL : gpuLoad;
    latencies = Map.copyOf(latencies);
    faults = List.copyOf(faults);
    requireKnown(regions, instanceTypes, quotas, stock, reservations);
    requireOperations(latencies);
  }

  /** The spot market; a calm one where none was written. */
  public SpotMarket spotMarket() {
    return Objects.requireNonNullElse(spot, SpotMarket.CALM);
  }

  /** How busy accelerators are; always and wholly where nothing was written. */
  public GpuLoad load() {
    return Objects.requireNonNullElse(gpuLoad, GpuLoad.FULL);
  }

  public Optional<Region> region(String name) {
    return regions.stream().filter(region -> region.name().equals(name)).findFirst();
  }

  public Optional<InstanceType> instanceType(String name) {
    return instanceTypes.stream().filter(type -> type.name().equals(name)).findFirst();
  }

  public Optional<Reservation> reservation(String id) {
    return reservations.stream().filter(reservation -> reservation.id().equals(id)).findFirst();
  }

  /** How long calls of an operation take. */
  public Optional<Latency> latency(Operation operation) {
    return Optional.ofNullable(latencies.getOrDefault(operation.word(), latencies.get(ALL)));
  }

  /** The delay of reads that a backend declares where keys are tokens or names. */
  public Duration delayOfReads() {
    return delay(Duration.ZERO, Fault::isLag);
  }

  /** The same where resources are looked up: how long lists may be wrong in any way. */
  public Duration delayOfLists() {
    return delay(visibleWithin, fault -> fault.isLag() || fault.kind() == Fault.Kind.STALE_LIST);
  }

  /** The same of reads by an id, which lag only by a fault. */
  public Duration delayOfDescribing() {
    return delay(Duration.ZERO, fault -> fault.kind() == Fault.Kind.LAGGING_DESCRIBE);
  }

  /** What is declared, or the longest of what happens. */
  private Duration delay(Duration usual, Predicate<Fault> counts) {
    return declaredVisibleWithin != null
        ? declaredVisibleWithin
        : faults.stream()
            .filter(counts)
            .map(Fault::lasts)
            .reduce(usual, (one, other) -> one.compareTo(other) < 0 ? other : one);
  }

  private static void requireKnown(
      List<Region> regions,
      List<InstanceType> types,
      List<Quota> quotas,
      List<Stock> stock,
      List<Reservation> reservations) {
    List<String> zones = regions.stream().flatMap(region -> region.zones().stream()).toList();
    List<String> names = types.stream().map(InstanceType::name).toList();
    requireAll(
        "region", quotas.stream().map(Quota::region), regions.stream().map(Region::name).toList());
    requireAll("zone", stock.stream().map(Stock::zone), zones);
    requireAll("instance type", stock.stream().map(Stock::instanceType), names);
    requireAll("zone", reservations.stream().map(Reservation::zone), zones);
    requireAll("instance type", reservations.stream().map(Reservation::instanceType), names);
  }

  private static void requireAll(
      String what, Stream<? extends @Nullable String> written, List<String> known) {
    String wrong =
        written
            .filter(Objects::nonNull)
            .filter(name -> !known.contains(name))
            .collect(Collectors.joining(", "));
    if (!wrong.isEmpty()) {
      throw new IllegalArgumentException(
          "names the %s %s, which is not there; there are %s"
              .formatted(what, wrong, String.join(", ", known)));
    }
  }

  private static void requireOperations(Map<String, Latency> latencies) {
    List<String> known =
        Stream.concat(Arrays.stream(Operation.values()).map(Operation::word), Stream.of(ALL))
            .toList();
    requireAll("operation", latencies.keySet().stream().sorted(), known);
  }
}
