package dev.berth.catalog.gate;

import dev.berth.model.offers.CatalogItem;
import java.util.List;
import java.util.OptionalDouble;

/**
 * What changed between two snapshots. Added, removed and changed offers are in the order of their
 * keys, repriced ones by how much the price moved, the most first.
 */
public record CatalogDiff(
    List<CatalogItem> added,
    List<CatalogItem> removed,
    List<Repriced> repriced,
    List<Changed> changed,
    long unchanged) {
  public CatalogDiff {
    added = List.copyOf(added);
    removed = List.copyOf(removed);
    repriced = List.copyOf(repriced);
    changed = List.copyOf(changed);
  }

  public boolean isEmpty() {
    return added.isEmpty() && removed.isEmpty() && repriced.isEmpty() && changed.isEmpty();
  }

  /** An offer of which only the price changed. */
  public record Repriced(CatalogItem before, CatalogItem after) {
    /** Empty where the old price was zero. */
    public OptionalDouble percent() {
      return before.price() == 0
          ? OptionalDouble.empty()
          : OptionalDouble.of((after.price() - before.price()) / before.price() * 100);
    }
  }

  /**
   * An offer of which something else changed, and perhaps the price too.
   *
   * @param fields names of what differs
   */
  public record Changed(CatalogItem before, CatalogItem after, List<String> fields) {
    public Changed {
      fields = List.copyOf(fields);
    }
  }
}
