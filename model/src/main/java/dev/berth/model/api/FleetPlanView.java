package dev.berth.model.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What applying a fleet would do.
 *
 * @param action create, update, or none where the fleet is as the file says
 * @param changes what an update changes
 * @param offers which machines it could have, the cheapest first
 * @param policies what the policies of the server do to it
 */
public record FleetPlanView(
    @Nullable String name,
    String action,
    List<FieldChange> changes,
    List<OfferView> offers,
    List<FieldProblem> refusals,
    List<PolicyView> policies) {
  public FleetPlanView {
    // Servers of before there were policies name none.
    policies = policies == null ? List.of() : List.copyOf(policies);
  }
}
