package dev.berth.simulation.plan;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** A kind of trouble or a kind of world that the generator may draw, and that can be left out. */
public enum Choice {
  /** Clouds that know our things again only by a look. */
  LOOKUP,
  /** Clouds that give machines instead of containers. */
  MACHINES,
  /** Clouds that run no jobs on the machines that they give, so that Berth does. */
  JOBS_BY_BERTH,
  /** Jobs whose hosts never answer. */
  UNREACHABLE_HOSTS,
  /** Calls of a server that died, which reach the provider when another one is at work. */
  LATE_CALLS,
  /** Calls whose answer never comes, or when nobody waits any more, though the server lives on. */
  SILENT_CALLS,
  /** Clouds whose clock is wrong. */
  WRONG_CLOCKS,
  CRASHES,
  /** A second server that takes over while the first one does not know it. */
  TAKE_OVERS,
  /** Commits that are lost, or of which nobody knows whether they were kept. */
  FAILED_COMMITS,
  /** Backends that are removed and added while runs go on. */
  BACKENDS_COME_AND_GO,
  /** Runs that are tried again. */
  RETRIES,
  /** Runs that come before others, some of which change their place in the line. */
  PRIORITIES,
  /** Runs that are started again and again by the clock. */
  SCHEDULES,
  /** Runs of several nodes. */
  GANGS,
  /** Nodes of one run that do not do the same, so that one fails while the others go on. */
  NODE_GROUPS,
  /** Runs that wait for others. */
  DEPENDENCIES,
  /** Runs that may not cost more than so much an hour. */
  PRICE_LIMITS,
  /** Machines that are kept together, cut into blocks, changed and deleted. */
  FLEETS,
  /** Clouds that do not show for a while what they made. */
  LAGGING_READS,
  /** Clouds that accept requests and refuse them afterwards. */
  LATE_REFUSALS,
  /** Clouds that take few requests for machines and containers. */
  LAUNCH_LIMITS,
  /** Clouds that say minutes before when they take machines and containers back. */
  LONG_NOTICES,
  /** A machine of users' own that is not listed for a while. */
  HOSTS_COME_AND_GO,
  /** Look-ups of offers that take long. */
  SLOW_OFFERS;

  /**
   * What was not there when the first seeds were kept; they are lived without it unless they name
   * it.
   */
  public static final Set<Choice> SINCE_FIRST_KEPT_SEEDS =
      Collections.unmodifiableSet(
          EnumSet.of(
              JOBS_BY_BERTH,
              LAGGING_READS,
              LATE_REFUSALS,
              LAUNCH_LIMITS,
              LONG_NOTICES,
              HOSTS_COME_AND_GO,
              SLOW_OFFERS));

  /** What today's decisions do not promise to survive; see docs/development/simulation.md. */
  public static final Set<Choice> NOT_YET =
      Collections.unmodifiableSet(EnumSet.noneOf(Choice.class));

  /** The word for it on the command line. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** All that must go well today. */
  public static Set<Choice> today() {
    EnumSet<Choice> all = EnumSet.allOf(Choice.class);
    all.removeAll(NOT_YET);
    return Collections.unmodifiableSet(all);
  }
}
