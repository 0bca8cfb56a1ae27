package dev.berth.decisions;

import dev.berth.model.Candidate;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * A view of a few offers, each of which is looked at for each question.
 *
 * @param candidates the cheapest first
 */
record ListedOffers(
    List<Candidate> candidates, boolean complete, Instant asOf, Map<String, Instant> failures)
    implements OfferView {
  ListedOffers {
    candidates = candidates.stream().sorted(Candidate.CHEAPEST_FIRST).toList();
    failures = Map.copyOf(failures);
  }

  @Override
  public OfferAnswer offers(OfferRequirement requirement) {
    List<Candidate> suiting = candidates.stream().filter(requirement::isMetBy).toList();
    return new OfferAnswer(suiting, true, complete, asOf);
  }

  @Override
  public boolean isEmpty() {
    return candidates.isEmpty();
  }
}
