package dev.berth.server;

import dev.berth.grammar.ConfigurationReader;
import dev.berth.grammar.Kind;
import dev.berth.model.PolicyNote;
import dev.berth.model.api.FieldProblem;
import dev.berth.model.api.FleetRequest;
import dev.berth.model.api.PolicyView;
import dev.berth.model.config.FleetConfiguration;
import dev.berth.model.config.PolicyRule;
import dev.berth.model.config.ServerConfiguration;
import dev.berth.planning.policy.PolicyEnforcement;
import dev.berth.planning.policy.PolicySubject;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The policies that the server's file has now, and what they make of requests. */
final class PolicyBook {
  private static final System.Logger LOG = System.getLogger(PolicyBook.class.getName());

  private final BackendWords backends;

  /** Written by the watch of the server's file. */
  private volatile List<PolicyRule> rules;

  PolicyBook(BackendWords backends, List<PolicyRule> atStart) {
    this.backends = backends;
    this.rules = atStart;
  }

  static List<PolicyRule> of(ServerConfiguration configuration) {
    List<PolicyRule> rules = configuration.policies();
    return rules == null ? List.of() : rules;
  }

  /** Goes on with other policies; what was accepted keeps those of before. */
  void replace(List<PolicyRule> newRules) {
    List<PolicyRule> before = rules;
    if (!newRules.equals(before)) {
      rules = newRules;
      LOG.log(
          System.Logger.Level.WARNING,
          "The policies have changed from [{0}] to [{1}]",
          names(before),
          names(newRules));
    }
  }

  private static String names(List<PolicyRule> rules) {
    return rules.stream().map(PolicyRule::name).collect(Collectors.joining(", "));
  }

  /**
   * The configuration of a fleet after the policies.
   *
   * @param written as if its author had written what the policies set
   * @param filled the same with its defaults
   */
  record Judged(
      Map<String, @Nullable Object> written,
      FleetConfiguration filled,
      PolicyEnforcement.Verdict<FleetConfiguration> verdict) {
    List<FieldProblem> refusals() {
      return PolicyBook.refusals(verdict);
    }

    List<PolicyView> views() {
      return PolicyBook.views(verdict);
    }
  }

  /** What the policies forbid, as the API tells it. */
  static List<FieldProblem> refusals(PolicyEnforcement.Verdict<?> verdict) {
    return verdict.refusals().stream()
        .map(refusal -> new FieldProblem(refusal.path(), refusal.message()))
        .toList();
  }

  /** What the policies did, as the API tells it. */
  static List<PolicyView> views(PolicyEnforcement.Verdict<?> verdict) {
    return verdict.notes().stream().map(PolicyBook::view).toList();
  }

  private static PolicyView view(PolicyNote note) {
    return new PolicyView(note.policy(), note.effect(), note.message(), note.dryRun());
  }

  /** What the policies make of a run as it was written. */
  PolicyEnforcement.Verdict<PolicySubject> judge(
      String project, String user, PolicySubject written) {
    List<PolicyRule> current = rules;
    return current.isEmpty()
        ? untouched(written)
        : PolicyEnforcement.judge(current, scope(project, user), written);
  }

  Judged judge(String project, String user, FleetRequest request) {
    FleetConfiguration filled = RequestTree.fleet(request);
    List<PolicyRule> current = rules;
    if (current.isEmpty()) {
      return new Judged(request.configuration(), filled, untouched(filled));
    }
    FleetConfiguration fleet =
        (FleetConfiguration)
            RequestTree.asWritten(Kind.FLEET, request.configuration(), request.name());
    PolicyEnforcement.Verdict<FleetConfiguration> verdict =
        PolicyEnforcement.judge(current, scope(project, user), fleet);
    if (verdict.configuration().equals(fleet)) {
      return new Judged(request.configuration(), filled, verdict);
    }
    Map<String, @Nullable Object> tree = ConfigurationReader.normalise(verdict.configuration());
    return new Judged(tree, RequestTree.fleet(new FleetRequest(request.name(), tree)), verdict);
  }

  private static <C> PolicyEnforcement.Verdict<C> untouched(C configuration) {
    return new PolicyEnforcement.Verdict<>(configuration, List.of(), List.of(), List.of());
  }

  private PolicyEnforcement.Scope scope(String project, String user) {
    return new PolicyEnforcement.Scope(project, user, backends.of(project));
  }
}
