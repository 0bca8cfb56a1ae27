package dev.berth.catalog.read;

import dev.berth.catalog.CatalogException;
import dev.berth.model.offers.OfferFilter;
import dev.berth.spi.OfferSource;

/** A source that cannot even be looked at; it fails when it is fetched, and the others do not. */
public record FailingSource(String name, CatalogException reason) implements OfferSource {
  @Override
  public Kind kind() {
    return Kind.OFFLINE;
  }

  @Override
  public Fetched fetch(OfferFilter filter, boolean balance) {
    throw new CatalogException(String.valueOf(reason.getMessage()), reason);
  }
}
