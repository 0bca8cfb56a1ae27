package dev.berth.server;

import dev.berth.grammar.ConfigurationReader;
import dev.berth.grammar.Kind;
import dev.berth.model.PolicyBound;
import dev.berth.model.Run;
import dev.berth.model.api.FieldProblem;
import dev.berth.model.api.RunRequest;
import dev.berth.model.config.RunConfiguration;
import dev.berth.model.spec.RunSpec;
import dev.berth.planning.PlanRequest;
import dev.berth.planning.Planner;
import dev.berth.planning.Planners;
import dev.berth.planning.policy.PolicyEnforcement;
import dev.berth.planning.policy.PolicySubject;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the runs that requests ask for, applies the policies, and has them planned by the planner
 * of their kind.
 */
final class RunPlanning {
  private final Planners planners;
  private final PolicyBook policies;
  private final DefaultImages images;

  RunPlanning(Planners planners, PolicyBook policies, DefaultImages images) {
    this.planners = planners;
    this.policies = policies;
    this.images = images;
  }

  /**
   * Plans what a request asks for.
   *
   * @throws ApiException where the request is no run, or one of a kind that cannot be run
   */
  PlannedRun plan(String project, String user, RunRequest request) {
    return plan(planner(request.configuration()), project, user, request);
  }

  /** Plans a run again that was submitted before, within other bounds. */
  RunSpec again(Run run, List<PolicyBound> bounds) {
    return again(planner(run.configuration()), run, bounds);
  }

  private Planner<?> planner(Map<String, @Nullable Object> configuration) {
    String type = String.valueOf(configuration.get("type"));
    return planners
        .find(type)
        .orElseThrow(
            () -> {
              String sentence = "only " + planners.words() + " are supported yet";
              return new ApiException(
                  422, sentence + ", not " + type, List.of(new FieldProblem("type", sentence)));
            });
  }

  private <C extends RunConfiguration> PlannedRun plan(
      Planner<C> planner, String project, String user, RunRequest request) {
    Kind kind = kind(planner);
    Map<String, @Nullable Object> tree = request.configuration();
    // Whatever is wrong with the request itself is told first.
    C filled = planner.configuration().cast(RequestTree.read(kind, tree, request.name()));
    C written = planner.configuration().cast(RequestTree.asWritten(kind, tree, request.name()));
    PolicySubject subject = planner.subject(written);
    PolicyEnforcement.Verdict<PolicySubject> verdict = policies.judge(project, user, subject);
    if (!verdict.configuration().equals(subject)) {
      written = planner.with(written, verdict.configuration());
      tree = ConfigurationReader.normalise(written);
      filled = planner.configuration().cast(RequestTree.read(kind, tree, request.name()));
    }
    return new PlannedRun(
        kind,
        tree,
        filled,
        verdict,
        planner.plan(new PlanRequest<>(project, written, filled, verdict.bounds(), images.now())));
  }

  private <C extends RunConfiguration> RunSpec again(
      Planner<C> planner, Run run, List<PolicyBound> bounds) {
    Kind kind = kind(planner);
    Map<String, @Nullable Object> tree = run.configuration();
    C written = planner.configuration().cast(RequestTree.asWritten(kind, tree, run.name()));
    C filled = planner.configuration().cast(RequestTree.read(kind, tree, run.name()));
    return planner
        .plan(new PlanRequest<>(run.project(), written, filled, bounds, images.now()))
        .spec();
  }

  private static Kind kind(Planner<?> planner) {
    return Kind.of(planner.type())
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "there is a planner for runs of type '"
                        + planner.type()
                        + "', which no file can have"));
  }
}
