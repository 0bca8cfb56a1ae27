package dev.berth.catalog.index;

import dev.berth.model.offers.OfferFilter;
import java.util.BitSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Tells which places of a snapshot a filter lets through. */
final class PlaceJudge {
  private final Places places;
  private final @Nullable BitSet regions;
  private final @Nullable BitSet zones;
  private final Set<String> countries;

  private PlaceJudge(Places places, Words words, OfferFilter filter) {
    this.places = places;
    this.regions = filter.regions().isEmpty() ? null : words.matching(filter.regions());
    this.zones = filter.zones().isEmpty() ? null : words.matching(filter.zones());
    this.countries =
        filter.countries().stream()
            .map(country -> country.toUpperCase(Locale.ROOT))
            .collect(Collectors.toUnmodifiableSet());
  }

  static Chosen choose(Places places, Words words, OfferFilter filter) {
    PlaceJudge judge = new PlaceJudge(places, words, filter);
    Chosen chosen = new Chosen(places.size());
    for (int id = 0; id < places.size(); id++) {
      if (judge.allows(id)) {
        chosen.add(id);
      }
    }
    return chosen;
  }

  private boolean allows(int id) {
    int zone = places.zones().get(id);
    return (regions == null || regions.get(places.regions().get(id)) || isIn(regions, zone))
        && (zones == null || isIn(zones, zone))
        && (countries.isEmpty() || isIn(places.countries().get(id)));
  }

  private static boolean isIn(BitSet wanted, int zone) {
    return zone != Words.NONE && wanted.get(zone);
  }

  private boolean isIn(Optional<String> country) {
    return country.filter(countries::contains).isPresent();
  }
}
