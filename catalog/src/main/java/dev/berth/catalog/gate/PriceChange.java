package dev.berth.catalog.gate;

import dev.berth.catalog.SnapshotContent;
import dev.berth.catalog.SuspectItem;
import dev.berth.model.offers.CatalogItem;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * How much dearer or cheaper a source became. Each offer is compared with itself, and the median of
 * these ratios counts: the median of all prices moves fivefold when a small marketplace only sells
 * out, while a wrong unit moves every ratio. Spot and on-demand are also judged apart where there
 * are enough, since a file has them in two columns. Suspects take part, so that a fault that makes
 * most rows suspect is still named.
 */
final class PriceChange {
  private static final double MOST = 1.5;
  private static final double LEAST = 0.5;

  /** A small marketplace reprices half of its spot offers at once; so few are not judged apart. */
  private static final int ENOUGH_APART = 30;

  private PriceChange() {}

  /** A sentence where the change is over 50 %. */
  static Optional<String> tooMuch(SnapshotContent previous, SnapshotContent next) {
    Map<OfferKey, Double> before = prices(previous);
    Map<OfferKey, Double> after = prices(next);
    if (before.isEmpty() || after.isEmpty()) {
      return Optional.empty();
    }
    Map<OfferKey, Double> ratios = new HashMap<>();
    after.forEach(
        (key, price) -> {
          Double old = before.get(key);
          if (old != null) {
            ratios.put(key, price / old);
          }
        });
    if (ratios.isEmpty()) {
      double ratio = Figures.median(after.values()) / Figures.median(before.values());
      return within(ratio)
          ? Optional.empty()
          : Optional.of(
              "the median of all prices "
                  + Figures.percent(ratio)
                  + ", and no offer is the same as before to compare with");
    }
    return judge(ratios, 1, "", _ -> true)
        .or(() -> judge(ratios, ENOUGH_APART, "on-demand ", key -> !key.spot()))
        .or(() -> judge(ratios, ENOUGH_APART, "spot ", OfferKey::spot));
  }

  private static Optional<String> judge(
      Map<OfferKey, Double> ratios, int enough, String kind, Predicate<OfferKey> which) {
    List<Double> chosen = new ArrayList<>();
    ratios.forEach(
        (key, ratio) -> {
          if (which.test(key)) {
            chosen.add(ratio);
          }
        });
    if (chosen.size() < enough) {
      return Optional.empty();
    }
    double ratio = Figures.median(chosen);
    return within(ratio)
        ? Optional.empty()
        : Optional.of(
            kind
                + "prices "
                + Figures.percent(ratio)
                + " in the median of "
                + chosen.size()
                + " offers that were there before");
  }

  private static boolean within(double ratio) {
    return ratio >= LEAST && ratio <= MOST;
  }

  private static Map<OfferKey, Double> prices(SnapshotContent content) {
    Map<OfferKey, Double> prices = new HashMap<>();
    Stream.concat(content.offers().stream(), content.suspects().stream().map(SuspectItem::item))
        .filter((CatalogItem item) -> item.price() > 0)
        .forEach(item -> prices.merge(OfferKey.of(item), item.price(), Math::min));
    return prices;
  }
}
