package dev.berth.server;

import dev.berth.model.offers.CatalogItem;
import dev.berth.model.offers.OfferFilter;
import dev.berth.spi.OfferSource;
import java.util.List;

/** The source of one backend, under the backend's name: several of one type have one each. */
record BackendOffers(String name, OfferSource source) implements OfferSource {
  @Override
  public Kind kind() {
    return source.kind();
  }

  @Override
  public Fetched fetch(OfferFilter filter, boolean balance) {
    return source.fetch(filter, balance);
  }

  @Override
  public List<String> check(List<CatalogItem> items) {
    return source.check(items);
  }
}
