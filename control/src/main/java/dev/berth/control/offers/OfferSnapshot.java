package dev.berth.control.offers;

import dev.berth.decisions.OfferAnswer;
import dev.berth.decisions.OfferRequirement;
import dev.berth.decisions.OfferView;
import java.time.Instant;
import java.util.Map;

/** The answers that are known at one moment. */
record OfferSnapshot(
    Map<OfferRequirement, OfferAnswer> answers, boolean isEmpty, Map<String, Instant> failures)
    implements OfferView {
  OfferSnapshot {
    answers = Map.copyOf(answers);
    failures = Map.copyOf(failures);
  }

  @Override
  public OfferAnswer offers(OfferRequirement requirement) {
    return isEmpty
        ? OfferView.NONE.offers(requirement)
        : answers.getOrDefault(requirement, OfferAnswer.UNKNOWN);
  }
}
