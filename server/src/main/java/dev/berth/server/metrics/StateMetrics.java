package dev.berth.server.metrics;

import dev.berth.control.ControlPlane;
import dev.berth.control.StateCount;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Unit;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Figures of how things stand, looked at when somebody asks. */
public final class StateMetrics {
  private StateMetrics() {}

  /**
   * Adds them to what a server measures.
   *
   * @param collected when each source of the catalog was collected
   */
  public static void register(
      ServerMetrics metrics,
      ControlPlane control,
      Supplier<Map<String, Instant>> collected,
      InstantSource clock) {
    PrometheusRegistry registry = metrics.registry();
    population(registry, control, "run", "berth_runs", "Active runs.");
    population(registry, control, "attempt", "berth_attempts", "Active attempts.");
    population(registry, control, "placement", "berth_placements", "Searches for a place.");
    population(registry, control, "fleet", "berth_fleets", "Fleets.");
    populationAtBackends(registry, control, "instance", "berth_instances", "Machines.");
    populationAtBackends(
        registry, control, "resource", "berth_resources", "Resources at providers.");
    gauge(
        registry,
        "berth_resources_in_doubt",
        "Things that may or may not be there.",
        () ->
            control.populations().stream()
                .filter(group -> group.kind().equals("resource"))
                .filter(group -> group.state().equals("in_doubt"))
                .mapToLong(StateCount::count)
                .sum());
    gauge(
        registry,
        "berth_mailbox_messages",
        "Messages that wait to be decided.",
        () -> control.loopStatus().waiting());
    gauge(
        registry,
        "berth_ledger_writable",
        "Whether the last commit could be written: 1, or 0 while it is tried again.",
        () -> control.loopStatus().writing() ? 1 : 0);
    gauge(
        registry,
        "berth_actions_unfinished",
        "Actions that are not carried out yet.",
        control::unfinishedActions);
    gauge(registry, "berth_events_newest", "The number of the newest event.", control::newestEvent);
    gauge(
        registry,
        "berth_sweeping_stopped_backends",
        "Backends of which nothing is swept, because the world is newer than the database.",
        () -> control.unswept().size());
    GaugeWithCallback.builder()
        .name("berth_catalog_age")
        .unit(Unit.SECONDS)
        .help("How old the prices of a source are.")
        .labelNames("source")
        .callback(
            callback -> {
              Instant now = clock.instant();
              collected.get().forEach((source, at) -> callback.call(seconds(at, now), source));
            })
        .register(registry);
  }

  private static double seconds(Instant from, Instant to) {
    return Duration.between(from, to).toMillis() / 1e3;
  }

  private interface Figure {
    long now();
  }

  private static void gauge(PrometheusRegistry registry, String name, String help, Figure figure) {
    GaugeWithCallback.builder()
        .name(name)
        .help(help)
        .callback(callback -> callback.call((double) figure.now()))
        .register(registry);
  }

  private static void population(
      PrometheusRegistry registry, ControlPlane control, String kind, String name, String help) {
    GaugeWithCallback.builder()
        .name(name)
        .help(help)
        .labelNames("status")
        .callback(
            callback -> {
              Map<String, Long> counts = new TreeMap<>();
              control.populations().stream()
                  .filter(group -> group.kind().equals(kind))
                  .forEach(group -> counts.merge(group.state(), group.count(), Long::sum));
              counts.forEach((state, count) -> callback.call((double) count, state));
            })
        .register(registry);
  }

  private static void populationAtBackends(
      PrometheusRegistry registry, ControlPlane control, String kind, String name, String help) {
    GaugeWithCallback.builder()
        .name(name)
        .help(help)
        .labelNames("backend", "status")
        .callback(
            callback ->
                control.populations().stream()
                    .filter(group -> group.kind().equals(kind))
                    .forEach(
                        group ->
                            callback.call((double) group.count(), group.backend(), group.state())))
        .register(registry);
  }
}
