package dev.berth.decisions;

import dev.berth.model.Entity;
import dev.berth.model.PolicyBound;
import java.util.List;
import java.util.Map;

/**
 * What the server's policies have to do with something that was accepted.
 *
 * @param bounds where they let it be
 * @param dryRuns what those would have done that are only tried out
 */
public record Policing(List<PolicyBound> bounds, List<PolicyNote> dryRuns) {
  public static final Policing NONE = new Policing(List.of(), List.of());

  public Policing {
    bounds = List.copyOf(bounds);
    dryRuns = List.copyOf(dryRuns);
  }

  /** Tells the operator whom a policy that is only tried out would hit. */
  static void tell(Draft draft, Entity entity, String user, List<PolicyNote> dryRuns) {
    for (PolicyNote note : dryRuns) {
      draft.event(
          "policy.dry_run", entity, user, Map.of("policy", note.policy(), "effect", note.effect()));
    }
  }
}
