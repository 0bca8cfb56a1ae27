package dev.berth.planning;

import dev.berth.model.config.RunConfiguration;
import dev.berth.planning.policy.PolicySubject;

/**
 * Turns the configurations of one kind of run into what decisions place and carry out. A planner is
 * stateless and pure: equal requests give equal plans. It is found through {@link
 * java.util.ServiceLoader}, so that a new kind of run needs this class, its registration, and
 * nothing else.
 *
 * @param <C> the configurations that it plans
 */
public interface Planner<C extends RunConfiguration> {
  /** The kind of run, by the word under {@code type} in its file. */
  String type();

  Class<C> configuration();

  /**
   * Plans a run. What cannot be carried out is told in the plan; a configuration that the reader
   * accepts never makes this throw.
   */
  Plan plan(PlanRequest<C> request);

  /** What policies look at and may change. */
  PolicySubject subject(C configuration);

  /** The configuration that the subject was made of, with what policies have changed. */
  C with(C configuration, PolicySubject changed);
}
