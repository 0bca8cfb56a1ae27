package dev.berth.spi;

import dev.berth.model.Availability;
import dev.berth.model.offers.CatalogItem;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An offer, and whether this account can have it.
 *
 * @param zones where it can be had, the best first; empty where the provider chooses
 */
public record QualifiedOffer(CatalogItem item, Availability availability, List<String> zones) {
  public QualifiedOffer {
    zones = List.copyOf(zones);
  }

  /** The same, with what another answer says about what this one does not know. */
  public QualifiedOffer orElse(@Nullable QualifiedOffer other) {
    if (other == null) {
      return this;
    }
    return new QualifiedOffer(
        item,
        availability == Availability.UNKNOWN ? other.availability() : availability,
        zones.isEmpty() ? other.zones() : zones);
  }
}
