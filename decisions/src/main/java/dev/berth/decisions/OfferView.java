package dev.berth.decisions;

import dev.berth.model.Candidate;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * The offers as they are known at one moment. It never changes and asks nobody, so that choosing is
 * pure: whoever misses something says so with {@link Draft#lookUp}, and decides again when it is
 * there.
 */
public interface OfferView {
  /** Nobody sells anything. */
  OfferView NONE = of(List.of(), true, Instant.MAX);

  /** What is known of the offers that suit a requirement. */
  OfferAnswer offers(OfferRequirement requirement);

  /** Whether there is nobody who sells anything. */
  boolean isEmpty();

  /**
   * Offers and areas that could not be had lately, by their keys, with the time until which nobody
   * tries them again.
   */
  Map<String, Instant> failures();

  /** Whether an offer could not be had so lately that it is not worth a try. */
  default boolean isBarred(String key, Instant now) {
    Instant until = failures().get(key);
    return until != null && now.isBefore(until);
  }

  /** A view of some offers, where nothing failed lately. */
  static OfferView of(List<Candidate> candidates, boolean complete, Instant asOf) {
    return of(candidates, complete, asOf, Map.of());
  }

  /**
   * A view of some offers.
   *
   * @param complete whether these are all
   * @param asOf when those who sell were asked
   */
  static OfferView of(
      List<Candidate> candidates, boolean complete, Instant asOf, Map<String, Instant> failures) {
    return new ListedOffers(candidates, complete, asOf, failures);
  }
}
