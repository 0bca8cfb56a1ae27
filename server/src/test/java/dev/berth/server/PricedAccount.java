package dev.berth.server;

import dev.berth.model.config.CpuArchitecture;
import dev.berth.model.offers.CatalogItem;
import dev.berth.model.offers.OfferFilter;
import dev.berth.spi.Compute;
import dev.berth.spi.Identity;
import dev.berth.spi.OfferSource;
import dev.berth.spi.Offers;
import dev.berth.spi.Reach;
import dev.berth.spi.Traits;
import java.time.Instant;
import java.util.List;

/** An account that alone sees one offer, at its own price. */
record PricedAccount(double price) implements Compute, OfferSource {
  static final String SOURCE = "prices";

  @Override
  public Offers offers() {
    return new Offers.Catalogued(SOURCE);
  }

  @Override
  public List<OfferSource> sources() {
    return List.of(this);
  }

  @Override
  public String name() {
    return SOURCE;
  }

  @Override
  public Kind kind() {
    return Kind.OFFLINE;
  }

  @Override
  public Fetched fetch(OfferFilter filter, boolean balance) {
    CatalogItem item =
        new CatalogItem(
            SOURCE,
            "small",
            "here",
            null,
            price,
            2,
            CpuArchitecture.X86,
            8_192,
            null,
            10_240L,
            false,
            List.of(),
            "{}",
            List.of());
    return new Fetched(null, Instant.parse("2026-11-01T12:00:00Z"), List.of(item), List.of());
  }

  @Override
  public Traits traits() {
    return Traits.of(Traits.Base.CONTAINERS);
  }

  @Override
  public Identity identity() {
    return new Identity.Token();
  }

  @Override
  public Reach reach() {
    return Reach.ENGINE;
  }

  @Override
  public void close() {}
}
