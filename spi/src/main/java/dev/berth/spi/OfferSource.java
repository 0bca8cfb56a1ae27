package dev.berth.spi;

import dev.berth.model.offers.CatalogItem;
import dev.berth.model.offers.OfferFilter;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where prices come from. Found with {@link java.util.ServiceLoader}, made from a mirror that a
 * user imported, or one of {@link Compute#sources} where it takes an account.
 */
public interface OfferSource {
  /**
   * One word in lower case; it names the source's snapshots and stands beside each of its offers.
   */
  String name();

  Kind kind();

  /**
   * Goes to the provider for what it sells now. Changes nothing there, so it may be called as often
   * as wanted. May take minutes where offline, seconds where online; ends with an exception when
   * the thread is interrupted.
   *
   * @param filter what is asked for. A source may use it to ask for less; whoever calls filters
   *     again
   * @param balance whether a source whose machines can be cut freely should give accelerators
   *     processors, memory and disk that suit them, where the filter leaves room
   * @throws BackendException where the provider cannot be asked; nothing of a half answer is
   *     returned
   */
  Fetched fetch(OfferFilter filter, boolean balance);

  /**
   * What this source must hold to be believed, such as a region that is always there: a sentence
   * for each thing that is missing. Pure and quick.
   */
  default List<String> check(List<CatalogItem> items) {
    return List.of();
  }

  /** When a source is asked. */
  enum Kind {
    /** On a schedule; the answers are kept in snapshots. */
    OFFLINE,
    /** By each query, with a deadline; the last good answer stands in. */
    ONLINE
  }

  /**
   * An answer.
   *
   * @param version what the provider calls this state of its prices; null where it has no name
   * @param collectedAt when the provider was asked, by whoever asked it first
   * @param refused rows that are no offers, each with its reason; nothing is dropped in silence
   * @param known what the same answer said about availability and zones, of those items of which it
   *     said something. Stands where {@link Compute#qualify} does not know better, so that a
   *     provider that tells both at once is asked once
   */
  record Fetched(
      @Nullable String version,
      Instant collectedAt,
      List<CatalogItem> items,
      List<RefusedRow> refused,
      List<QualifiedOffer> known) {
    public Fetched {
      items = List.copyOf(items);
      refused = List.copyOf(refused);
      known = List.copyOf(known);
    }

    /** An answer that says nothing about availability. */
    public Fetched(
        @Nullable String version,
        Instant collectedAt,
        List<CatalogItem> items,
        List<RefusedRow> refused) {
      this(version, collectedAt, items, refused, List.of());
    }
  }

  /** A row that is no offer, with the place where it stands and the reason. */
  record RefusedRow(String where, String reason) {}
}
