package dev.berth.planning.policy;

import dev.berth.model.PolicyBound;
import dev.berth.model.PolicyNote;
import dev.berth.model.Wildcards;
import dev.berth.model.config.FleetConfiguration;
import dev.berth.model.config.PolicyRule;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Applies the policies of a server to what users want to run. Pure.
 *
 * <p>First the defaults of all policies are filled in, in the order of the file; then all policies
 * look at the result, so that none can be dodged by the default of another. Those that are only
 * tried out are looked at one by one in the end, and change nothing.
 */
public final class PolicyEnforcement {
  private PolicyEnforcement() {}

  /**
   * For whom and where.
   *
   * @param backends the types of those that are open, by name
   */
  public record Scope(String project, String user, Map<String, String> backends) {
    public Scope {
      backends = Collections.unmodifiableMap(new TreeMap<>(backends));
    }

    boolean concerns(PolicyRule rule) {
      return (rule.projects().isEmpty() || Wildcards.anyMatches(rule.projects(), project))
          && (rule.users().isEmpty() || Wildcards.anyMatches(rule.users(), user));
    }
  }

  /** A field that a policy does not allow, with the reason. */
  public record Refusal(String path, String message) {}

  /**
   * What becomes of a configuration.
   *
   * @param configuration with the defaults and limits of the policies
   * @param bounds where it may be
   * @param refusals why it cannot be accepted; empty where it can
   * @param notes what was done to it, and what policies would do that are only tried out
   */
  public record Verdict<C>(
      C configuration, List<PolicyBound> bounds, List<Refusal> refusals, List<PolicyNote> notes) {
    public Verdict {
      bounds = List.copyOf(bounds);
      refusals = List.copyOf(refusals);
      notes = List.copyOf(notes);
    }

    /** What those policies would do that are only tried out. */
    public List<PolicyNote> dryRuns() {
      return notes.stream().filter(PolicyNote::dryRun).toList();
    }

    /** The same about another form of what was judged. */
    public <D> Verdict<D> of(D other) {
      return new Verdict<>(other, bounds, refusals, notes);
    }
  }

  /** Judges a fleet as it was written, without its defaults. */
  public static Verdict<FleetConfiguration> judge(
      List<PolicyRule> rules, Scope scope, FleetConfiguration fleet) {
    if (fleet.sshConfig() != null) {
      // Hosts of one's own cost nothing and are nowhere that a policy could name.
      return new Verdict<>(fleet, List.of(), List.of(), List.of());
    }
    Verdict<PolicySubject> verdict = judge(rules, scope, PolicySubject.of(fleet));
    return verdict.of(verdict.configuration().in(fleet));
  }

  /** Judges what policies look at of a run as it was written, without its defaults. */
  public static Verdict<PolicySubject> judge(
      List<PolicyRule> rules, Scope scope, PolicySubject subject) {
    List<PolicyRule> concerned = rules.stream().filter(scope::concerns).toList();
    List<PolicyRule> holding = concerned.stream().filter(rule -> !rule.dryRun()).toList();
    boolean folders = holding.stream().anyMatch(MountRules::namesFolders);
    PolicyPass live = new PolicyPass(subject, scope, false, folders);
    live.pass(holding);
    List<PolicyNote> notes = new ArrayList<>(live.notes());
    for (PolicyRule rule : concerned) {
      if (rule.dryRun()) {
        PolicyPass dry = new PolicyPass(live.subject(), scope, true, folders);
        dry.pass(List.of(rule));
        notes.addAll(dry.notes());
      }
    }
    return new Verdict<>(live.subject(), live.bounds(), live.refusals(), notes);
  }
}
