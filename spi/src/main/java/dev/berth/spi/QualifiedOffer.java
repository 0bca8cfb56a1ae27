package dev.berth.spi;

import dev.berth.model.Availability;
import dev.berth.model.offers.CatalogItem;
import java.util.List;

/**
 * An offer, and whether this account can have it.
 *
 * @param zones where it can be had, the best first; empty where the provider chooses
 */
public record QualifiedOffer(CatalogItem item, Availability availability, List<String> zones) {
  public QualifiedOffer {
    zones = List.copyOf(zones);
  }
}
