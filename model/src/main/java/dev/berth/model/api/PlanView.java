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
 * @param elsewhere where no place can take it, some offers of providers that no backend is
 *     configured for; the run cannot be placed there
 * @param notes where those come from and how old they are, or why there are none
 */
public record PlanView(
    @Nullable String name,
    String action,
    List<FieldChange> changes,
    List<OfferView> offers,
    List<FieldProblem> refusals,
    List<PolicyView> policies,
    @Nullable String image,
    List<OfferView> elsewhere,
    List<String> notes) {
  public PlanView {
    // Servers of before there were policies name none.
    policies = policies == null ? List.of() : List.copyOf(policies);
    // Servers of before there was a default catalog look nowhere else.
    elsewhere = elsewhere == null ? List.of() : List.copyOf(elsewhere);
    notes = notes == null ? List.of() : List.copyOf(notes);
  }
}
