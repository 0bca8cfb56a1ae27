package dev.berth.simulation.plan;

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
      int stopSeconds) {
    public Task {
      commands = List.copyOf(commands);
      backends = List.copyOf(backends);
    }
  }

  static String name(int number) {
    return "run-" + number;
  }
}
