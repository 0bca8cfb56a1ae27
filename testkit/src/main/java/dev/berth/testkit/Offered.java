package dev.berth.testkit;

import dev.berth.model.Place;
import dev.berth.model.offers.CatalogItem;
import dev.berth.model.offers.OfferFilter;
import dev.berth.spi.Compute;
import dev.berth.spi.OfferSource;
import dev.berth.spi.Offers;
import dev.berth.spi.QualifiedOffer;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What the backend sells.
 *
 * @param items all of it
 * @param usable what this account can have, the cheapest without accelerators first
 */
public record Offered(List<CatalogItem> items, List<QualifiedOffer> usable) {
  private static final Comparator<QualifiedOffer> CHEAPEST =
      Comparator.<QualifiedOffer, Boolean>comparing(offer -> offer.item().gpu() != null)
          .thenComparingDouble(offer -> offer.item().price());

  static Offered of(Subject subject, Compute compute) {
    List<CatalogItem> items =
        switch (compute.offers()) {
          case Offers.Live(var source) -> source.fetch(OfferFilter.ANY, false).items();
          case Offers.Catalogued(String name) ->
              own(compute, name)
                  .map(source -> source.fetch(OfferFilter.ANY, false).items())
                  .orElseGet(subject::offers);
          case Offers.OwnMachines _ -> List.of();
        };
    List<QualifiedOffer> usable =
        compute.qualify(items).stream()
            .filter(offer -> offer.availability().isUsable())
            .sorted(CHEAPEST)
            .toList();
    return new Offered(items, usable);
  }

  /** The source of that name that only the account sees. */
  private static Optional<OfferSource> own(Compute compute, String name) {
    return compute.sources().stream().filter(source -> source.name().equals(name)).findFirst();
  }

  /** What is bought at a place; of a place that nobody has, the first that is sold. */
  public CatalogItem at(Place place) {
    return items.stream()
        .filter(item -> item.instanceType().equals(place.instanceType()))
        .filter(item -> item.region().equals(place.region()) && item.spot() == place.spot())
        .filter(item -> item.providerData().equals(place.providerData()))
        .findFirst()
        .orElseGet(items::getFirst);
  }

  /** A place at the cheapest offer of a kind. */
  public Optional<Place> find(Predicate<CatalogItem> kind) {
    return usable.stream()
        .filter(offer -> kind.test(offer.item()))
        .findFirst()
        .map(
            offer ->
                Place.of(offer.item())
                    .in(offer.zones().isEmpty() ? offer.item().zone() : offer.zones().getFirst()));
  }
}
