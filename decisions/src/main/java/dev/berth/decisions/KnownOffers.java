package dev.berth.decisions;

import dev.berth.model.Candidate;
import dev.berth.model.offers.CatalogItem;
import dev.berth.model.offers.OfferFilter;
import dev.berth.model.spec.RunSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The offers that an explanation looks at: those that a run could have, those that it could have if
 * it asked for one thing less, and those that it could have if it asked for nothing. Of large
 * catalogs these are the cheapest of each kind, and not all.
 */
final class KnownOffers implements OfferView {
  private final OfferView view;
  private final OfferView listed;
  private final List<Candidate> candidates;

  KnownOffers(OfferView view, Explanation.Question question) {
    this.view = view;
    List<Candidate> found = new ArrayList<>();
    Set<Offer> known = new HashSet<>();
    for (OfferRequirement requirement : requirements(question)) {
      Set<Offer> more = new HashSet<>();
      for (Candidate candidate : view.offers(requirement).candidates()) {
        Offer offer = new Offer(candidate.backend(), candidate.offer());
        // Equal ones within one answer are different offers.
        if (!known.contains(offer)) {
          found.add(candidate);
          more.add(offer);
        }
      }
      known.addAll(more);
    }
    this.candidates = found.stream().sorted(Candidate.CHEAPEST_FIRST).toList();
    this.listed = OfferView.of(candidates, true, Instant.MAX);
  }

  private record Offer(String backend, CatalogItem item) {}

  /** What has to be looked up before. */
  static List<OfferRequirement> requirements(Explanation.Question question) {
    Set<OfferRequirement> requirements = new LinkedHashSet<>();
    requirements.add(OfferRequirement.of(question.project(), OfferFilter.ANY));
    addAll(requirements, question.run());
    for (Constraint constraint : Constraint.of(question.run())) {
      addAll(requirements, Relaxation.of(question.run(), Set.of(constraint)));
    }
    return List.copyOf(requirements);
  }

  private static void addAll(Set<OfferRequirement> requirements, RunSpec run) {
    run.nodes().forEach(node -> requirements.add(OfferRequirement.of(node.wishes())));
  }

  List<Candidate> candidates() {
    return candidates;
  }

  /** Whether a provider has not answered yet is not what is asked here. */
  @Override
  public OfferAnswer offers(OfferRequirement requirement) {
    OfferAnswer answer = view.offers(requirement);
    return answer.settled()
        ? new OfferAnswer(answer.candidates(), true, true, Instant.MAX)
        : listed.offers(requirement);
  }

  @Override
  public boolean isEmpty() {
    return candidates.isEmpty();
  }

  @Override
  public Map<String, Instant> failures() {
    return view.failures();
  }
}
