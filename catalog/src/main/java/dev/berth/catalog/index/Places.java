package dev.berth.catalog.index;

import dev.berth.catalog.places.Countries;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The dictionary of places.
 *
 * @param countries of each place, where somebody knows
 */
record Places(
    IntBuffer providers, IntBuffer regions, IntBuffer zones, List<Optional<String>> countries) {
  static final int BYTES = 3 * Integer.BYTES;

  /** Lays the columns over a section of a file; countries are what is known of them today. */
  static Places over(ByteBuffer section, Words words) {
    Places bare = over(section);
    List<Optional<String>> countries =
        IntStream.range(0, bare.size())
            .mapToObj(id -> bare.place(id, words))
            .map(place -> Countries.of(place.provider(), place.region()))
            .toList();
    return new Places(bare.providers, bare.regions, bare.zones, countries);
  }

  /** Lays the columns over an empty section that is to be filled. */
  static Places over(ByteBuffer section) {
    int size = section.limit() / BYTES;
    int column = size * Integer.BYTES;
    return new Places(
        section.slice(0, column).order(section.order()).asIntBuffer(),
        section.slice(column, column).order(section.order()).asIntBuffer(),
        section.slice(2 * column, column).order(section.order()).asIntBuffer(),
        List.of());
  }

  int size() {
    return providers.limit();
  }

  void put(int id, Place place, Numbering<String> words) {
    String zone = place.zone();
    providers.put(id, words.id(place.provider()));
    regions.put(id, words.id(place.region()));
    zones.put(id, zone == null ? Words.NONE : words.id(zone));
  }

  Place place(int id, Words words) {
    return new Place(
        words.text(providers.get(id)),
        words.text(regions.get(id)),
        words.textOrNull(zones.get(id)));
  }
}
