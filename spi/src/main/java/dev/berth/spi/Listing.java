package dev.berth.spi;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What carries an owner's mark, as far as the provider showed it.
 *
 * @param found complete for every region that is not unseen
 * @param unseen the regions that could not be looked at, each with the reason, such as a region
 *     that the account may not use. Nothing is concluded about them
 */
public record Listing(List<Found> found, Map<String, String> unseen) {
  public Listing {
    found = List.copyOf(found);
    unseen = Map.copyOf(unseen);
  }

  /** All there is, in all regions. */
  public static Listing all(List<Found> found) {
    return new Listing(found, Map.of());
  }

  public Stream<Found> stream() {
    return found.stream();
  }

  /**
   * All there is.
   *
   * @throws BackendException.Transient where a region could not be looked at
   */
  public List<Found> complete() {
    if (!unseen.isEmpty()) {
      throw new BackendException.Transient(
          "not all regions could be looked at: "
              + String.join(
                  ", ",
                  unseen.entrySet().stream()
                      .map(region -> region.getKey() + " (" + region.getValue() + ")")
                      .sorted()
                      .toList()),
          null);
    }
    return found;
  }
}
