package dev.berth.simulation.plan;

import dev.berth.model.config.RetryEvent;
import dev.berth.model.config.StartupOrder;
import dev.berth.model.config.StopCriteria;
import java.time.Duration;
import java.util.List;

/** Something that a user does. */
public sealed interface WorkStep {
  /** When, since the beginning. */
  Duration at();

  /**
   * Submits a run, and does so again with the same key until an answer comes.
   *
   * @param number names the run, and is used once
   */
  record Submit(Duration at, int number, Task task) implements WorkStep {
    public String run() {
      return name(number);
    }
  }

  /** Stops a run, whether it is there or not. */
  record Stop(Duration at, int number, boolean abort) implements WorkStep {}

  /** Deletes a run that has ended, as soon as it has. */
  record Delete(Duration at, int number) implements WorkStep {}

  /** Gives a run another place in the line, whether it is there or not. */
  record Prioritise(Duration at, int number, int priority) implements WorkStep {}

  /** Makes a fleet, or changes the one that is there. */
  record ApplyFleet(Duration at, int number, Machines machines) implements WorkStep {}

  /** Deletes a fleet, whether it is there or not. */
  record DeleteFleet(Duration at, int number) implements WorkStep {}

  record RemoveBackend(Duration at, String backend) implements WorkStep {}

  record AddBackend(Duration at, String backend) implements WorkStep {}

  /**
   * What a run does, and where it may.
   *
   * @param backends empty for all
   * @param spot whether only spot machines will do
   * @param maxSeconds after so long it is ended; 0 for never
   */
  record Task(
      List<String> commands,
      List<String> backends,
      int cpus,
      boolean spot,
      int maxSeconds,
      int stopSeconds,
      Terms terms) {
    public Task {
      commands = List.copyOf(commands);
      backends = List.copyOf(backends);
    }

    public Task with(Terms newTerms) {
      return new Task(commands, backends, cpus, spot, maxSeconds, stopSeconds, newTerms);
    }
  }

  /**
   * How a run is carried through.
   *
   * @param retry after which ends it is tried again; empty for none
   * @param retrySeconds for how long
   * @param everyMinutes how often its schedule starts it; 0 for once, at once
   * @param maxPrice dollars an hour; 0 for any
   * @param fleet the number of the fleet that it must use; 0 for any
   * @param after the number of the run that must succeed first; 0 for none
   */
  record Terms(
      List<RetryEvent> retry,
      int retrySeconds,
      int priority,
      int everyMinutes,
      Nodes nodes,
      double maxPrice,
      int idleSeconds,
      int fleet,
      int after) {
    public Terms {
      retry = List.copyOf(retry);
    }

    public Terms withPriority(int newPriority) {
      return new Terms(
          retry,
          retrySeconds,
          newPriority,
          everyMinutes,
          nodes,
          maxPrice,
          idleSeconds,
          fleet,
          after);
    }
  }

  /**
   * How many run together, and what that means for each.
   *
   * @param failsAfter the last one is of a group of its own, and fails after so many seconds; 0
   *     where all do the same
   */
  record Nodes(int count, StartupOrder order, StopCriteria criteria, int failsAfter) {
    static final Nodes ONE = new Nodes(1, StartupOrder.ANY, StopCriteria.ALL_DONE, 0);
  }

  /**
   * The machines of a fleet.
   *
   * @param max 0 for any number
   * @param blocks into how many parts each is cut
   * @param idleSeconds for how long one above the least number is kept without work
   */
  record Machines(
      int min,
      int target,
      int max,
      int cpus,
      int blocks,
      boolean cluster,
      boolean spot,
      int idleSeconds,
      List<String> backends) {
    public Machines {
      backends = List.copyOf(backends);
    }
  }

  static String fleetName(int number) {
    return "fleet-" + number;
  }

  static String name(int number) {
    return "run-" + number;
  }
}
