package dev.berth.testkit.checks;

import dev.berth.model.Place;
import dev.berth.model.offers.CatalogItem;
import dev.berth.model.offers.OfferFilter;
import dev.berth.spi.Compute;
import dev.berth.spi.OfferSource;
import dev.berth.spi.Offers;
import dev.berth.spi.OwnMachine;
import dev.berth.spi.QualifiedOffer;
import dev.berth.spi.Trait;
import dev.berth.spi.Traits;
import dev.berth.testkit.Area;
import dev.berth.testkit.Check;
import dev.berth.testkit.CheckFailure;
import dev.berth.testkit.Expect;
import dev.berth.testkit.NotApplicable;
import dev.berth.testkit.Part;
import dev.berth.testkit.Trial;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What is sold, and what of it this account can have. */
final class OfferChecks {
  static final List<Check> ALL =
      List.of(
          check(
                  "offers-are-told",
                  "offers() names a source of offers, and there are some.",
                  OfferChecks::told)
              .needing(Part.OFFERS),
          check(
              "sources-keep-their-names",
              "The sources that only the account sees are named by one word in lower case each, and"
                  + " keep their names.",
              OfferChecks::sources),
          check(
                  "offers-are-complete",
                  "Every offer has processors, memory, a price and JSON for its provider data, and"
                      + " is told once.",
                  OfferChecks::complete)
              .needing(Part.OFFERS),
          check(
                  "offers-asked-for-are-told",
                  "A source that uses the filter to ask for less still tells what matches it.",
                  OfferChecks::filtered)
              .needing(Part.OFFERS),
          check(
                  "qualify-keeps-the-order",
                  "qualify() leaves offers out and adds none, in the order in which they came.",
                  OfferChecks::order)
              .needing(Part.OFFERS),
          check(
              "qualify-nothing-is-nothing",
              "qualify() of no offers is empty, and asks nobody.",
              OfferChecks::nothing),
          check(
                  "qualify-zones-are-those-of-the-offer",
                  "An offer of one zone qualifies for that zone only, and no zone is named twice.",
                  OfferChecks::zones)
              .needing(Part.OFFERS),
          check(
                  "qualify-leaves-out-what-cannot-be-had",
                  "An offer of the catalog in a region that the configuration cannot use is left"
                      + " out.",
                  OfferChecks::foreign)
              .needing(Part.OFFERS),
          check(
                  "an-offer-can-be-had",
                  "Of what is sold, qualify() shows at least one offer that this account can have"
                      + " now.",
                  Trial::place)
              .needing(Part.OFFERS),
          check(
                  "spot-offers-are-told",
                  "A backend with spot machines tells offers of them.",
                  OfferChecks::spot)
              .needing(Part.OFFERS)
              .using(Trait.SPOT),
          check(
                  "spot-machines-refused",
                  "Without SPOT no offer is one of a spot machine, and asking for one is refused.",
                  OfferChecks::noSpot)
              .refusing(Trait.SPOT),
          check(
                  "machines-are-described",
                  "ownMachines() shows each machine under an id that stays, with processors and"
                      + " memory.",
                  OfferChecks::instances)
              .needing(Part.HOSTS));

  private OfferChecks() {}

  private static Check check(String name, String sentence, Check.Body body) {
    return Check.of(Area.OFFERS, name, sentence, body);
  }

  private static void told(Trial trial) {
    switch (trial.compute().offers()) {
      case Offers.Live(var source) -> requireWord(source.name());
      case Offers.Catalogued(String source) ->
          Expect.that(
              isThere(source, trial),
              ("offers() is Catalogued(\"%s\"), which is none of sources() and no source of the"
                      + " catalog: name one that there is")
                  .formatted(source));
      case Offers.OwnMachines _ ->
          throw new CheckFailure(
              "a backend of %s sells something: let offers() be Live or Catalogued"
                  .formatted(trial.traits().base()));
    }
    Expect.that(!trial.offered().items().isEmpty(), "there are no offers: let fetch() tell some");
  }

  /** Whether it is the account's own, or offers of the catalog are told as those of it. */
  private static boolean isThere(String source, Trial trial) {
    List<String> own = names(trial.compute());
    return own.contains(source)
        || (own.isEmpty() && !source.isBlank())
        || trial.offered().items().stream().anyMatch(item -> item.provider().equals(source));
  }

  private static void requireWord(String name) {
    Expect.that(
        name.matches("[a-z][a-z0-9_-]*"),
        "a source of offers is named '%s': use one word in lower case".formatted(name));
  }

  private static void sources(Trial trial) {
    List<String> names = names(trial.compute());
    if (names.isEmpty()) {
      throw new NotApplicable("the account has no sources of its own");
    }
    names.forEach(OfferChecks::requireWord);
    Expect.same(names.size(), Set.copyOf(names).size(), "sources(), each with a name of its own");
    Expect.same(names, names(trial.compute()), "the names of sources(), asked again");
    Expect.same(
        names,
        names(trial.reopened()),
        "the names of sources() of a server that was started later: what was collected is found by"
            + " them");
  }

  private static List<String> names(Compute compute) {
    return compute.sources().stream().map(OfferSource::name).toList();
  }

  private static void complete(Trial trial) {
    Set<List<?>> seen = new HashSet<>();
    for (CatalogItem item : trial.offered().items()) {
      String name = item.instanceType() + " in " + item.region();
      Expect.that(
          item.cpus() > 0 && item.memoryMib() > 0,
          "the offer %s has no processors or no memory".formatted(name));
      Expect.that(
          item.providerData().strip().startsWith("{") && item.providerData().strip().endsWith("}"),
          "the provider data of %s is no JSON object; write {} where there is none"
              .formatted(name));
      Expect.that(
          seen.add(
              Arrays.asList(
                  item.instanceType(),
                  item.region(),
                  item.zone(),
                  item.spot(),
                  item.providerData(),
                  item.price())),
          "the offer %s is told twice".formatted(name));
    }
  }

  private static void filtered(Trial trial) {
    if (!(trial.compute().offers() instanceof Offers.Live(var source))) {
      throw new NotApplicable("its offers stand in the catalog");
    }
    CatalogItem wanted = trial.offered().items().getFirst();
    OfferFilter filter =
        new OfferFilter(
            Set.of(),
            Set.of(wanted.region()),
            Set.of(),
            Set.of(),
            Set.of(wanted.instanceType()),
            null,
            null,
            null,
            null,
            OfferFilter.Gpu.ANY,
            wanted.spot(),
            null,
            null,
            false);
    Expect.that(
        source.fetch(filter, false).items().stream()
            .anyMatch(
                item ->
                    item.instanceType().equals(wanted.instanceType())
                        && item.region().equals(wanted.region())
                        && item.spot() == wanted.spot()),
        "fetch() with a filter for one instance type, its region and spot does not tell it: whoever"
            + " calls filters again, so a source may tell more, never less");
  }

  private static void order(Trial trial) {
    List<CatalogItem> items = trial.offered().items();
    int position = 0;
    for (QualifiedOffer offer : trial.compute().qualify(items)) {
      int found = items.subList(position, items.size()).indexOf(offer.item());
      Expect.that(
          found >= 0,
          "qualify() shows %s out of order, or changed, or it was not asked about"
              .formatted(offer.item().instanceType()));
      position += found + 1;
    }
  }

  private static void nothing(Trial trial) {
    Expect.same(List.of(), trial.compute().qualify(List.of()), "qualify() of no offers");
  }

  private static void zones(Trial trial) {
    for (QualifiedOffer offer : trial.compute().qualify(trial.offered().items())) {
      String zone = offer.item().zone();
      Expect.that(
          zone == null || offer.zones().stream().allMatch(zone::equals),
          "qualify() shows an offer of the zone %s for the zones %s"
              .formatted(zone, offer.zones()));
      Expect.same(
          offer.zones().size(),
          new HashSet<>(offer.zones()).size(),
          "zones of an offer, each named once");
    }
  }

  private static void foreign(Trial trial) {
    if (!(trial.compute().offers() instanceof Offers.Catalogued)) {
      throw new NotApplicable("it is asked only about offers that it told itself");
    }
    CatalogItem known = trial.offered().items().getFirst();
    CatalogItem elsewhere =
        new CatalogItem(
            known.provider(),
            known.instanceType(),
            "kit-no-such-region",
            null,
            known.price(),
            known.cpus(),
            known.arch(),
            known.memoryMib(),
            known.gpu(),
            known.diskMib(),
            known.spot(),
            known.flags(),
            known.providerData(),
            List.of());
    Expect.that(
        trial.compute().qualify(List.of(elsewhere)).isEmpty(),
        "qualify() must leave out an offer in a region that this configuration cannot use");
  }

  private static void spot(Trial trial) {
    Expect.that(
        trial.offered().items().stream().anyMatch(CatalogItem::spot),
        "tell offers of spot machines, or opt out with traits().without(SPOT)");
  }

  private static void noSpot(Trial trial) {
    Expect.that(
        trial.offered().items().stream().noneMatch(CatalogItem::spot),
        "a backend without SPOT tells offers of spot machines: leave them out");
    if (trial.traits().base() == Traits.Base.HOSTS) {
      return;
    }
    Place place = trial.place();
    Place spot =
        new Place(
            place.region(),
            place.zone(),
            place.instanceType(),
            true,
            place.price(),
            place.providerData(),
            null,
            null);
    Refusals.ofPlace(trial, spot, "a spot machine", Trait.SPOT);
  }

  private static void instances(Trial trial) {
    List<OwnMachine> first = trial.compute().ownMachines();
    Expect.that(!first.isEmpty(), "ownMachines() shows no machine");
    for (OwnMachine machine : first) {
      Expect.that(
          machine.capacity().cpus() > 0
              && machine.capacity().memoryMib() > 0
              && machine.capacity().slots() > 0,
          "ownMachines() shows a machine without processors, memory or slots");
    }
    Expect.same(
        first.stream().map(OwnMachine::id).toList(),
        trial.compute().ownMachines().stream().map(OwnMachine::id).toList(),
        "the ids of ownMachines(), asked again");
  }
}
