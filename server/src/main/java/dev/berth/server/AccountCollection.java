package dev.berth.server;

import dev.berth.catalog.collect.AccountCatalogs;
import dev.berth.catalog.collect.CatalogFolder;
import dev.berth.catalog.collect.CollectSchedule;
import dev.berth.catalog.collect.Collector;
import dev.berth.catalog.collect.Progress;
import dev.berth.catalog.collect.Report;
import dev.berth.spi.Compute;
import dev.berth.spi.OfferSource;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * Collects the offers that only the accounts of backends see, and forgets those of backends that
 * are removed. Used by one thread.
 */
final class AccountCollection {
  private final AccountCatalogs catalogs;
  private final Supplier<Map<String, Compute>> open;
  private final Supplier<Set<String>> configured;
  private final InstantSource clock;

  /** When each source was last asked, by the backend's key and its own name. */
  private final Map<String, Instant> tried = new HashMap<>();

  /**
   * A collection for all backends of a server.
   *
   * @param open the backends that can be asked, by their keys
   * @param configured the keys of all backends, also of those that are not open now
   */
  AccountCollection(
      AccountCatalogs catalogs,
      Supplier<Map<String, Compute>> open,
      Supplier<Set<String>> configured,
      InstantSource clock) {
    this.catalogs = catalogs;
    this.open = open;
    this.configured = configured;
    this.clock = clock;
  }

  /**
   * Asks the sources whose prices are old.
   *
   * @param told the key of a backend, and how it went with one of its sources
   */
  void collectWhatIsDue(
      CollectSchedule schedule, Collector collector, BiConsumer<String, Report> told)
      throws InterruptedException {
    catalogs.retain(configured.get());
    for (Map.Entry<String, Compute> backend : open.get().entrySet()) {
      Map<String, OfferSource> sources = offline(backend.getValue());
      if (sources.isEmpty()) {
        continue;
      }
      CatalogFolder folder = catalogs.of(backend.getKey());
      List<String> due =
          schedule.due(sources.keySet(), last(backend.getKey(), folder, sources), clock.instant());
      if (!due.isEmpty()) {
        due.forEach(name -> tried.put(backend.getKey() + "/" + name, clock.instant()));
        collector
            .collect(due.stream().map(sources::get).toList(), folder, false, Progress.SILENT)
            .forEach(report -> told.accept(backend.getKey(), report));
      }
    }
  }

  private static Map<String, OfferSource> offline(Compute backend) {
    Map<String, OfferSource> sources = new TreeMap<>();
    for (OfferSource source : backend.sources()) {
      if (source.kind() == OfferSource.Kind.OFFLINE) {
        sources.put(source.name(), source);
      }
    }
    return sources;
  }

  private Map<String, CollectSchedule.Last> last(
      String backend, CatalogFolder folder, Map<String, OfferSource> sources) {
    Map<String, CollectSchedule.Last> last = new HashMap<>();
    for (String name : sources.keySet()) {
      last.put(
          name,
          new CollectSchedule.Last(
              folder.lastAsked(name).orElse(null), tried.get(backend + "/" + name)));
    }
    return last;
  }
}
