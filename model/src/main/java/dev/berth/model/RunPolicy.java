package dev.berth.model;

import dev.berth.model.config.RetryPolicy;
import dev.berth.model.config.StartupOrder;
import dev.berth.model.config.StopCriteria;
import java.util.List;

/**
 * How a run is carried through: what comes first, what is tried again, and when it is over.
 *
 * @param priority from 0 to 100; the higher one is placed first
 * @param after ids of runs that must succeed before this one begins, as long as they are under way
 * @param cron when it is started, in UTC; empty for once and at once
 */
public record RunPolicy(
    int priority,
    RetryPolicy retry,
    StartupOrder startupOrder,
    StopCriteria stopCriteria,
    List<String> after,
    List<String> cron) {
  /** Once, at once, and no second try. */
  public static final RunPolicy USUAL =
      new RunPolicy(
          0, RetryPolicy.OFF, StartupOrder.ANY, StopCriteria.ALL_DONE, List.of(), List.of());

  public RunPolicy {
    after = List.copyOf(after);
    cron = List.copyOf(cron);
  }

  public boolean isScheduled() {
    return !cron.isEmpty();
  }

  /** The same, for when a run that was waited for has succeeded. */
  public RunPolicy without(String dependency) {
    return new RunPolicy(
        priority,
        retry,
        startupOrder,
        stopCriteria,
        after.stream().filter(one -> !one.equals(dependency)).toList(),
        cron);
  }

  /** The same, which begins when other runs have succeeded. */
  public RunPolicy waitingFor(List<String> runs) {
    return new RunPolicy(priority, retry, startupOrder, stopCriteria, runs, cron);
  }

  public RunPolicy withPriority(int newPriority) {
    return new RunPolicy(newPriority, retry, startupOrder, stopCriteria, after, cron);
  }
}
