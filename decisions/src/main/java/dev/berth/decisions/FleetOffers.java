package dev.berth.decisions;

import dev.berth.model.Candidate;
import dev.berth.model.Fleet;
import java.util.List;

/** Which machines a fleet could have. */
public final class FleetOffers {
  private FleetOffers() {}

  /** The offers of machines that a fleet asks for, whether they can be had or not. */
  public static List<Candidate> of(OfferView offers, Fleet.Spec spec) {
    return offers.offers(OfferRequirement.of(spec)).candidates();
  }
}
