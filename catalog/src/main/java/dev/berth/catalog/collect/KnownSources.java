package dev.berth.catalog.collect;

import dev.berth.catalog.CatalogException;
import dev.berth.catalog.collect.Origins.Origin;
import dev.berth.catalog.read.FailingSource;
import dev.berth.catalog.read.ImportRequest;
import dev.berth.catalog.read.Importer;
import dev.berth.spi.OfferSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** All sources that can be collected: those of plug-ins, and those that were imported once. */
public final class KnownSources {
  private final Map<String, OfferSource> plugged = new TreeMap<>();
  private final Map<String, Origin> origins;

  public KnownSources(Origins origins, Iterable<OfferSource> plugged) {
    this.origins = new TreeMap<>(origins.all());
    for (OfferSource source : plugged) {
      if (source.kind() == OfferSource.Kind.OFFLINE) {
        this.plugged.put(source.name(), source);
      }
    }
  }

  public static Iterable<OfferSource> onClassPath() {
    return ServiceLoader.load(OfferSource.class);
  }

  public Set<String> names() {
    Set<String> names = new TreeSet<>(origins.keySet());
    names.addAll(plugged.keySet());
    return names;
  }

  /**
   * The sources with these names. A place that cannot be looked at makes its own sources fail when
   * they are fetched, not the others.
   *
   * @throws CatalogException for a name that is not known
   */
  public List<OfferSource> sources(Collection<String> wanted, Importer importer) {
    Set<String> unknown = new TreeSet<>(wanted);
    unknown.removeAll(names());
    if (!unknown.isEmpty()) {
      throw new CatalogException(
          "There is no source "
              + String.join(", ", unknown)
              + (names().isEmpty()
                  ? "; none is known yet, so import one first."
                  : "; known are " + String.join(", ", names()) + "."));
    }
    List<OfferSource> found = new ArrayList<>();
    Map<Origin, Set<String>> places = new HashMap<>();
    for (String name : new TreeSet<>(wanted)) {
      OfferSource own = plugged.get(name);
      Origin origin = origins.get(name);
      if (own != null) {
        found.add(own);
      } else if (origin != null) {
        places.computeIfAbsent(origin, _ -> new TreeSet<>()).add(name);
      }
    }
    places.forEach((origin, names) -> found.addAll(imported(origin, names, importer)));
    return found;
  }

  private static List<OfferSource> imported(Origin origin, Set<String> names, Importer importer) {
    try {
      return sources(origin, names, importer);
    } catch (CatalogException e) {
      if (names.size() == 1) {
        return List.of(new FailingSource(names.iterator().next(), e));
      }
    }
    // One of them is not there any more; the others must not suffer for it.
    return names.stream()
        .flatMap(name -> imported(origin, Set.of(name), importer).stream())
        .toList();
  }

  private static List<OfferSource> sources(Origin origin, Set<String> names, Importer importer) {
    return importer.sources(
        new ImportRequest(origin.format(), origin.place(), origin.version(), names));
  }
}
