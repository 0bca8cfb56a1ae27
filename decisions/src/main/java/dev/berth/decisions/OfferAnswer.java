package dev.berth.decisions;

import dev.berth.model.Candidate;
import java.time.Instant;
import java.util.List;

/**
 * The offers that suit a requirement, as far as they are known.
 *
 * @param candidates the cheapest first, also those that cannot be had now
 * @param settled whether every backend that may sell has answered, failed, or been waited for long
 *     enough; before, something cheaper may come
 * @param complete whether every backend that may sell has answered at least once, and nothing of
 *     its answer was left out; before, whoever finds nothing waits
 * @param asOf since when no answer is older; whoever came later waits for newer ones before giving
 *     up
 */
public record OfferAnswer(
    List<Candidate> candidates, boolean settled, boolean complete, Instant asOf) {
  /** Nobody was asked yet. */
  public static final OfferAnswer UNKNOWN = new OfferAnswer(List.of(), false, false, Instant.MIN);

  public OfferAnswer {
    candidates = List.copyOf(candidates);
  }

  /** Whether nothing that somebody could have who waits since then is missing. */
  boolean isAll(Instant since) {
    return complete && !asOf.isBefore(since);
  }
}
