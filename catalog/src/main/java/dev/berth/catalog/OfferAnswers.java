package dev.berth.catalog;

import dev.berth.catalog.index.Catalog;
import dev.berth.catalog.index.Group;
import dev.berth.catalog.index.GroupKey;
import dev.berth.catalog.index.QueryResult;
import dev.berth.catalog.places.Providers;
import dev.berth.model.BackendKey;
import dev.berth.model.api.CatalogOfferView;
import dev.berth.model.api.OfferGroupView;
import dev.berth.model.api.OfferList;
import dev.berth.model.offers.CatalogItem;
import dev.berth.model.offers.ItemOrder;
import dev.berth.model.offers.OfferFilter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Answers questions for offers from a catalog, in the form that users see. */
public final class OfferAnswers {
  private OfferAnswers() {}

  /**
   * The cheapest offers.
   *
   * @param maxOffers null for all
   * @param availability of the sources that know it, by name
   * @param warnings what the catalog lacks
   */
  public static OfferList offers(
      Catalog catalog,
      OfferFilter filter,
      @Nullable Integer maxOffers,
      Map<String, String> availability,
      List<String> warnings,
      Instant now) {
    int limit = maxOffers == null ? Integer.MAX_VALUE : maxOffers;
    List<Shown> shown = new ArrayList<>();
    long total = collect(catalog, byAnyName(filter), limit, availability, shown);
    return list(shown, total, limit, warnings, now);
  }

  /**
   * An offer, as it is shown.
   *
   * @param availability a word, as of {@link dev.berth.model.Availability}
   */
  public record Shown(CatalogOffer offer, String availability) {
    private static final Comparator<Shown> ORDER =
        Comparator.<Shown, CatalogItem>comparing(
                one -> one.offer().item(), ItemOrder.CHEAPEST_FIRST)
            .thenComparing(one -> one.offer().source())
            .thenComparing(one -> one.offer().suspect() != null);
  }

  /**
   * Finds the cheapest offers of a catalog.
   *
   * @param availability of the sources that know it, by name
   * @param shown gets them
   * @return how many match
   */
  public static long collect(
      Catalog catalog,
      OfferFilter filter,
      int limit,
      Map<String, String> availability,
      List<Shown> shown) {
    QueryResult result = catalog.query(filter, limit);
    result
        .offers()
        .forEach(
            offer ->
                shown.add(new Shown(offer, availability.getOrDefault(offer.source(), "unknown"))));
    return result.total();
  }

  /** The cheapest of some offers. */
  public static OfferList list(
      List<Shown> shown, long total, int limit, List<String> warnings, Instant now) {
    return new OfferList(
        total,
        shown.stream()
            .sorted(Shown.ORDER)
            .limit(limit)
            .map(one -> view(one.offer(), one.availability(), now))
            .toList(),
        null,
        warnings);
  }

  /** Offers that are no snapshot, in the form of one. */
  public static SnapshotContent content(
      String source, Instant collectedAt, List<CatalogItem> items) {
    int size = items.size();
    return new SnapshotContent(
        source,
        null,
        collectedAt,
        new Accounting(size, size, 0, 0, 0, 0, Map.of()),
        items,
        List.of());
  }

  public static OfferList groups(
      Catalog catalog, OfferFilter filter, List<GroupKey> keys, List<String> warnings) {
    List<Group> groups = catalog.groups(byAnyName(filter), keys);
    return new OfferList(
        groups.stream().mapToLong(Group::offers).sum(),
        List.of(),
        groups.stream().map(group -> view(group, keys)).toList(),
        warnings);
  }

  /**
   * What to group by.
   *
   * @throws CatalogException for a word that is none of the keys
   */
  public static List<GroupKey> groupKeys(List<String> words) {
    return words.stream().distinct().map(OfferAnswers::groupKey).toList();
  }

  private static GroupKey groupKey(String word) {
    return Arrays.stream(GroupKey.values())
        .filter(key -> word(key).equals(word.strip().toLowerCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(
            () ->
                new CatalogException(
                    "expected what to group by ("
                        + Arrays.stream(GroupKey.values())
                            .map(OfferAnswers::word)
                            .collect(Collectors.joining(", "))
                        + "), found '"
                        + word
                        + "'"));
  }

  /** The type of a backend and the catalog's name for its provider mean the same offers. */
  public static OfferFilter byAnyName(OfferFilter filter) {
    return filter.withProviders(
        filter.providers().stream()
            .flatMap(name -> Providers.same(name).stream())
            .collect(Collectors.toSet()));
  }

  static CatalogOfferView view(CatalogOffer offer, String availability, Instant now) {
    CatalogItem item = offer.item();
    return new CatalogOfferView(
        item.provider(),
        item.region(),
        item.zone(),
        item.instanceType(),
        item.cpus(),
        word(item.arch()),
        item.memoryMib(),
        view(item.gpu()),
        item.diskMib(),
        item.spot(),
        item.price(),
        availability,
        BackendKey.name(offer.source()),
        Math.max(0, Duration.between(offer.collectedAt(), now).toSeconds()),
        offer.suspect() != null,
        offer.suspect(),
        item.repairs());
  }

  private static CatalogOfferView.@Nullable Gpu view(CatalogItem.@Nullable Gpu gpu) {
    return gpu == null
        ? null
        : new CatalogOfferView.Gpu(word(gpu.vendor()), gpu.name(), gpu.count(), gpu.memoryMib());
  }

  private static OfferGroupView view(Group group, List<GroupKey> keys) {
    Group.Key key = group.key();
    String gpu = key.gpu();
    return new OfferGroupView(
        keys.contains(GroupKey.GPU) && gpu == null ? "" : gpu,
        key.backend(),
        key.region(),
        key.count(),
        group.offers(),
        group.price(),
        group.pricePerGpu());
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
