package dev.berth.server;

import dev.berth.decisions.Policies;
import dev.berth.decisions.PolicyNote;
import dev.berth.grammar.ConfigurationReader;
import dev.berth.grammar.Kind;
import dev.berth.model.api.FieldProblem;
import dev.berth.model.api.FleetRequest;
import dev.berth.model.api.PolicyView;
import dev.berth.model.api.RunRequest;
import dev.berth.model.config.FleetConfiguration;
import dev.berth.model.config.PolicyRule;
import dev.berth.model.config.ServerConfiguration;
import dev.berth.model.config.TaskConfiguration;
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
   * A configuration after the policies.
   *
   * @param written as if its author had written what the policies set
   * @param filled the same with its defaults
   */
  record Judged<C>(Map<String, @Nullable Object> written, C filled, Policies.Verdict<C> verdict) {
    List<FieldProblem> refusals() {
      return verdict.refusals().stream()
          .map(refusal -> new FieldProblem(refusal.path(), refusal.message()))
          .toList();
    }

    List<PolicyView> views() {
      return verdict.notes().stream().map(PolicyBook::view).toList();
    }
  }

  private static PolicyView view(PolicyNote note) {
    return new PolicyView(note.policy(), note.effect(), note.message(), note.dryRun());
  }

  Judged<TaskConfiguration> judge(String project, String user, RunRequest request) {
    // Whatever is wrong with the request itself is told first.
    TaskConfiguration filled = RequestTree.task(request);
    List<PolicyRule> current = rules;
    if (current.isEmpty()) {
      return untouched(request.configuration(), filled);
    }
    TaskConfiguration task =
        (TaskConfiguration)
            RequestTree.asWritten(Kind.TASK, request.configuration(), request.name());
    Policies.Verdict<TaskConfiguration> verdict =
        Policies.judge(current, scope(project, user), task);
    if (verdict.configuration().equals(task)) {
      return new Judged<>(request.configuration(), filled, verdict);
    }
    Map<String, @Nullable Object> tree = ConfigurationReader.normalise(verdict.configuration());
    return new Judged<>(tree, RequestTree.task(new RunRequest(request.name(), tree)), verdict);
  }

  Judged<FleetConfiguration> judge(String project, String user, FleetRequest request) {
    FleetConfiguration filled = RequestTree.fleet(request);
    List<PolicyRule> current = rules;
    if (current.isEmpty()) {
      return untouched(request.configuration(), filled);
    }
    FleetConfiguration fleet =
        (FleetConfiguration)
            RequestTree.asWritten(Kind.FLEET, request.configuration(), request.name());
    Policies.Verdict<FleetConfiguration> verdict =
        Policies.judge(current, scope(project, user), fleet);
    if (verdict.configuration().equals(fleet)) {
      return new Judged<>(request.configuration(), filled, verdict);
    }
    Map<String, @Nullable Object> tree = ConfigurationReader.normalise(verdict.configuration());
    return new Judged<>(tree, RequestTree.fleet(new FleetRequest(request.name(), tree)), verdict);
  }

  /** Where there are no policies, nothing is read a second time to be judged. */
  private static <C> Judged<C> untouched(Map<String, @Nullable Object> written, C filled) {
    return new Judged<>(
        written, filled, new Policies.Verdict<>(filled, List.of(), List.of(), List.of()));
  }

  private Policies.Scope scope(String project, String user) {
    return new Policies.Scope(project, user, backends.of(project));
  }
}
