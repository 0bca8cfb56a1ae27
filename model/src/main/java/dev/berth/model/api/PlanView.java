package dev.berth.model.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a run would be placed, and what stands against it.
 *
 * @param action submit, or update where a run of that name is active and only its priority differs
 * @param changes what is different from the active run of that name; empty where there is none
 * @param policies what the policies of the server do to it
 * @param image what it runs in where it gets a container; null where no place gives it one
 */
public record PlanView(
    @Nullable String name,
    String action,
    List<FieldChange> changes,
    List<OfferView> offers,
    List<FieldProblem> refusals,
    List<PolicyView> policies,
    @Nullable String image) {
  public PlanView {
    // Servers of before there were policies name none.
    policies = policies == null ? List.of() : List.copyOf(policies);
  }
}
