package dev.berth.testkit.broken;

import static dev.berth.testkit.SimSetup.containers;
import static dev.berth.testkit.broken.Variant.compute;

import dev.berth.model.Availability;
import dev.berth.model.ResourceVector;
import dev.berth.model.offers.CatalogItem;
import dev.berth.model.offers.OfferFilter;
import dev.berth.spi.Compute;
import dev.berth.spi.OfferSource;
import dev.berth.spi.Offers;
import dev.berth.spi.OwnMachine;
import dev.berth.spi.QualifiedOffer;
import dev.berth.testkit.SimSetup;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Backends that tell wrong offers. */
final class OfferVariants {
  private static final AtomicInteger PRICE_LISTS = new AtomicInteger();

  private OfferVariants() {}

  static List<Variant> all() {
    return List.of(
        compute("offers-are-told", containers(), telling((_, _) -> List.of())),
        compute(
            "offers-are-complete",
            containers(),
            telling((_, items) -> Stream.concat(items.stream(), items.stream()).toList())),
        compute(
            "offers-asked-for-are-told",
            containers(),
            telling((filter, items) -> filter.equals(OfferFilter.ANY) ? items : List.of())),
        compute(
            "spot-offers-are-told",
            containers(),
            telling((_, items) -> items.stream().filter(item -> !item.spot()).toList())),
        compute(
            "sources-keep-their-names",
            ofAccount(),
            compute -> new AccountPrices(compute, "prices-" + PRICE_LISTS.incrementAndGet())),
        compute(
            "sources-keep-their-names",
            ofAccount(),
            compute -> new AccountPrices(compute, "Prices of sim")),
        compute(
            "offers-are-told",
            ofAccount(),
            compute ->
                new ForwardingCompute(compute) {
                  @Override
                  public Offers offers() {
                    return new Offers.Catalogued("elsewhere");
                  }
                }),
        compute("qualify-keeps-the-order", containers(), qualifying(offers -> offers.reversed())),
        compute("qualify-nothing-is-nothing", containers(), NeedsOffers::new),
        compute(
            "qualify-zones-are-those-of-the-offer",
            containers(),
            qualifying(offers -> offers.stream().map(OfferVariants::elsewhere).toList())),
        compute(
            "qualify-leaves-out-what-cannot-be-had",
            ConfigVariants.catalogued(),
            QualifiesAll::new),
        compute(
            "an-offer-can-be-had",
            containers(),
            qualifying(offers -> offers.stream().map(OfferVariants::soldOut).toList())),
        compute("machines-are-described", containers().wrapped(Hosts::type), EmptyMachines::new));
  }

  /** Types whose prices only the account sees. */
  private static SimSetup ofAccount() {
    return containers()
        .wrapped(type -> Variant.opened(type, compute -> new AccountPrices(compute, "prices")));
  }

  /** Offers that are collected with the account, by a source of some name. */
  private static final class AccountPrices extends ForwardingCompute {
    private final String name;
    private final OfferSource prices;

    AccountPrices(Compute sound, String name) {
      super(sound);
      this.name = name;
      this.prices =
          sound.offers() instanceof Offers.Live(var source) ? source : sound.sources().getFirst();
    }

    @Override
    public Offers offers() {
      return new Offers.Catalogued(name);
    }

    @Override
    public List<OfferSource> sources() {
      return List.of(new Named(name, prices));
    }
  }

  private record Named(String name, OfferSource prices) implements OfferSource {
    @Override
    public Kind kind() {
      return Kind.OFFLINE;
    }

    @Override
    public Fetched fetch(OfferFilter filter, boolean balance) {
      return prices.fetch(filter, balance);
    }
  }

  private static QualifiedOffer elsewhere(QualifiedOffer offer) {
    return new QualifiedOffer(offer.item(), offer.availability(), List.of("elsewhere"));
  }

  private static QualifiedOffer soldOut(QualifiedOffer offer) {
    return new QualifiedOffer(offer.item(), Availability.NOT_AVAILABLE, offer.zones());
  }

  private static UnaryOperator<Compute> telling(
      BiFunction<OfferFilter, List<CatalogItem>, List<CatalogItem>> wrong) {
    return compute ->
        new ForwardingCompute(compute) {
          @Override
          public Offers offers() {
            return super.offers() instanceof Offers.Live(var source)
                ? new Offers.Live(new WrongSource(source, wrong))
                : super.offers();
          }
        };
  }

  private record WrongSource(
      OfferSource sound, BiFunction<OfferFilter, List<CatalogItem>, List<CatalogItem>> wrong)
      implements OfferSource {
    @Override
    public String name() {
      return sound.name();
    }

    @Override
    public Kind kind() {
      return sound.kind();
    }

    @Override
    public Fetched fetch(OfferFilter filter, boolean balance) {
      Fetched fetched = sound.fetch(filter, balance);
      return new Fetched(
          fetched.version(),
          fetched.collectedAt(),
          wrong.apply(filter, fetched.items()),
          fetched.refused());
    }
  }

  private static UnaryOperator<Compute> qualifying(
      Function<List<QualifiedOffer>, List<QualifiedOffer>> wrong) {
    return compute ->
        new ForwardingCompute(compute) {
          @Override
          public List<QualifiedOffer> qualify(List<CatalogItem> items) {
            return wrong.apply(super.qualify(items));
          }
        };
  }

  private static final class NeedsOffers extends ForwardingCompute {
    NeedsOffers(Compute sound) {
      super(sound);
    }

    @Override
    public List<QualifiedOffer> qualify(List<CatalogItem> items) {
      items.getFirst();
      return super.qualify(items);
    }
  }

  private static final class QualifiesAll extends ForwardingCompute {
    QualifiesAll(Compute sound) {
      super(sound);
    }

    @Override
    public List<QualifiedOffer> qualify(List<CatalogItem> items) {
      return items.stream()
          .map(item -> new QualifiedOffer(item, Availability.UNKNOWN, List.of()))
          .toList();
    }
  }

  private static final class EmptyMachines extends ForwardingCompute {
    EmptyMachines(Compute sound) {
      super(sound);
    }

    @Override
    public List<OwnMachine> ownMachines() {
      return super.ownMachines().stream()
          .map(
              machine ->
                  new OwnMachine(
                      machine.id(),
                      machine.name(),
                      machine.region(),
                      ResourceVector.NOTHING,
                      machine.accelerators(),
                      machine.containers()))
          .toList();
    }
  }
}
