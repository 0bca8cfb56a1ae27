package dev.berth.decisions;

import dev.berth.model.Entity;
import dev.berth.model.PolicyNote;
import java.util.List;
import java.util.Map;

/** Policies that are only tried out. */
final class PolicyNotes {
  private PolicyNotes() {}

  /** Tells the operator whom a policy that is only tried out would hit. */
  static void tell(Draft draft, Entity entity, String user, List<PolicyNote> dryRuns) {
    for (PolicyNote note : dryRuns) {
      draft.event(
          "policy.dry_run", entity, user, Map.of("policy", note.policy(), "effect", note.effect()));
    }
  }
}
