package dev.berth.control.offers;

import dev.berth.catalog.CatalogOffer;
import dev.berth.catalog.OfferAnswers;
import dev.berth.catalog.SnapshotContent;
import dev.berth.catalog.gate.Cleaning;
import dev.berth.catalog.index.Catalog;
import dev.berth.catalog.index.QueryResult;
import dev.berth.catalog.index.Snapshot;
import dev.berth.catalog.places.Providers;
import dev.berth.decisions.OfferRequirement;
import dev.berth.model.Candidate;
import dev.berth.model.offers.CatalogItem;
import dev.berth.spi.BackendException;
import dev.berth.spi.OfferSource;
import dev.berth.spi.Offers;
import dev.berth.spi.QualifiedOffer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Asks one backend what it has that meets a requirement: the catalog or the provider, and both. */
final class BackendQuery {
  private static final int STEP = 4;

  private final Seller seller;
  private final CatalogSource catalog;
  private final Limits limits;

  BackendQuery(Seller seller, CatalogSource catalog, Limits limits) {
    this.seller = seller;
    this.catalog = catalog;
    this.limits = limits;
  }

  /**
   * What was found.
   *
   * @param candidates the cheapest first
   * @param total how many there are, as far as is known without looking at all of them
   * @param cut whether there are more than were looked at
   * @param collectedAt when the provider said so
   */
  record Found(List<Candidate> candidates, long total, boolean cut, Instant collectedAt) {}

  /**
   * Asks. Takes as long as the provider's answer.
   *
   * @param depth so many offers of a catalog are looked at; of the answer of a provider it may be
   *     more
   */
  Found run(OfferRequirement.Items items, int depth) {
    return switch (seller.compute().offers()) {
      case Offers.Live(OfferSource source) -> live(source, items, depth);
      case Offers.Catalogued(String source) -> catalogued(source, items, depth);
      case Offers.OwnMachines _ -> new Found(List.of(), 0, false, Instant.MAX);
    };
  }

  /**
   * What a provider says to the account that asks is what it costs there, even if it is nothing.
   */
  private Found live(OfferSource source, OfferRequirement.Items items, int depth) {
    OfferSource.Fetched fetched = source.fetch(items.question(), true);
    Map<CatalogItem, QualifiedOffer> known =
        fetched.known().stream()
            .collect(
                Collectors.toMap(QualifiedOffer::item, Function.identity(), (first, _) -> first));
    return search(
        OfferAnswers.content(seller.key(), fetched.collectedAt(), fetched.items()),
        items,
        depth,
        known);
  }

  private Found search(
      SnapshotContent content,
      OfferRequirement.Items items,
      int depth,
      Map<CatalogItem, QualifiedOffer> known) {
    return search(
        Snapshot.inMemory(content),
        items,
        Math.max(depth, limits.most()),
        content.collectedAt(),
        known);
  }

  private Found catalogued(String name, OfferRequirement.Items items, int depth) {
    return seller.compute().sources().stream()
        .filter(source -> source.name().equals(name))
        .findFirst()
        .map(source -> ofAccount(source, items, depth))
        .orElseGet(() -> ofEverybody(name, items, depth));
  }

  private Found ofAccount(OfferSource source, OfferRequirement.Items items, int depth) {
    if (source.kind() == OfferSource.Kind.ONLINE) {
      return live(source, items, depth);
    }
    Snapshot snapshot =
        catalog
            .snapshot(seller.key(), source.name())
            .orElseThrow(
                () ->
                    new BackendException.Transient(
                        ("the prices that '%s' tells this account have not been collected yet; the"
                                + " server collects them within minutes, and its log says what is"
                                + " wrong if it cannot")
                            .formatted(source.name()),
                        null));
    return search(snapshot, items, depth, snapshot.collectedAt(), Map.of());
  }

  private Found ofEverybody(String source, OfferRequirement.Items items, int depth) {
    Optional<Snapshot> snapshot =
        Providers.same(source).stream()
            .sorted()
            .flatMap(name -> catalog.snapshot(name).stream())
            .findFirst();
    if (snapshot.isPresent()) {
      return search(snapshot.get(), items, depth, snapshot.get().collectedAt(), Map.of());
    }
    return catalog.online().stream()
        .filter(online -> Providers.same(source).contains(online.name()))
        .findFirst()
        // Published prices have been wrong before; absurd ones are not sold.
        .map(online -> Cleaning.clean(online.name(), online.fetch(items.question(), true)))
        .map(content -> search(content, items, depth, Map.of()))
        .orElseThrow(
            () ->
                new BackendException.Transient(
                    "the catalog has no offers of '%s'; import some with: berth catalog import"
                        .formatted(source),
                    null));
  }

  /** The cheapest that may match, as many as asked for, and what the account can have of them. */
  private Found search(
      Snapshot snapshot,
      OfferRequirement.Items items,
      int depth,
      Instant collectedAt,
      Map<CatalogItem, QualifiedOffer> known) {
    Catalog index = Catalog.of(List.of(snapshot));
    long limit = depth;
    QueryResult result = index.query(items.question(), depth);
    List<CatalogItem> matching = matching(result, items);
    while (matching.size() < depth && result.total() > limit) {
      limit = Math.min(limit * STEP, result.total());
      result = index.query(items.question(), (int) Math.min(limit, Integer.MAX_VALUE));
      matching = matching(result, items);
    }
    boolean cut = result.total() > limit || matching.size() > depth;
    List<CatalogItem> page = matching.subList(0, Math.min(depth, matching.size()));
    List<Candidate> candidates =
        page.isEmpty()
            ? List.of()
            : seller.compute().qualify(page).stream()
                .map(offer -> offer.orElse(known.get(offer.item())))
                .map(seller::candidate)
                .map(candidate -> candidate.withDisk(items.leastDisk()))
                .filter(items::match)
                .sorted(Candidate.CHEAPEST_FIRST)
                .toList();
    return new Found(candidates, cut ? result.total() : candidates.size(), cut, collectedAt);
  }

  private static List<CatalogItem> matching(QueryResult result, OfferRequirement.Items items) {
    return result.offers().stream().map(CatalogOffer::item).filter(items::mayMatch).toList();
  }
}
