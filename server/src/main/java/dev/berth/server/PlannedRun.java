package dev.berth.server;

import dev.berth.grammar.Kind;
import dev.berth.model.api.FieldProblem;
import dev.berth.model.api.PolicyView;
import dev.berth.model.config.RunConfiguration;
import dev.berth.model.spec.RunSpec;
import dev.berth.planning.Plan;
import dev.berth.planning.policy.PolicyEnforcement;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A run that somebody asks for, after the policies.
 *
 * @param written as if its author had written what the policies set
 * @param configuration the same with its defaults
 */
record PlannedRun(
    Kind kind,
    Map<String, @Nullable Object> written,
    RunConfiguration configuration,
    PolicyEnforcement.Verdict<?> verdict,
    Plan plan) {
  RunSpec spec() {
    return plan.spec();
  }

  @Nullable String name() {
    return configuration.run().name();
  }

  /** What the policies forbid. */
  List<FieldProblem> refusals() {
    return PolicyBook.refusals(verdict);
  }

  /** What the policies did. */
  List<PolicyView> policies() {
    return PolicyBook.views(verdict);
  }
}
