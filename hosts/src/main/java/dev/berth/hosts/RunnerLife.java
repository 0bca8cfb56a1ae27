package dev.berth.hosts;

import java.util.function.LongPredicate;

/** How it is known whether the runner that claimed a job is there. */
interface RunnerLife {
  boolean isAlive(ProcessIdentity runner);

  /** Whether it is known for sure to have ended; where it is not, a silent one is waited for. */
  boolean hasEnded(ProcessIdentity runner);

  /**
   * Of runners that are processes of this machine.
   *
   * @param seenEnding whether the runner with a process id is known to have ended because it was
   *     our own child
   */
  static RunnerLife ofProcesses(LongPredicate seenEnding) {
    return new RunnerLife() {
      @Override
      public boolean isAlive(ProcessIdentity runner) {
        return runner.isAlive();
      }

      @Override
      public boolean hasEnded(ProcessIdentity runner) {
        return seenEnding.test(runner.pid());
      }
    };
  }

  /**
   * Of a runner that is the first process of a container, which lives as long as it does.
   *
   * @param container what the engine says of the container
   */
  static RunnerLife ofContainer(ContainerLife container) {
    return new RunnerLife() {
      @Override
      public boolean isAlive(ProcessIdentity runner) {
        return container == ContainerLife.RUNNING;
      }

      @Override
      public boolean hasEnded(ProcessIdentity runner) {
        return container == ContainerLife.ENDED;
      }
    };
  }

  /** What an engine says of a container. */
  enum ContainerLife {
    RUNNING,
    ENDED,
    /**
     * The engine says that it never began, which the claim of its runner denies. So it is for a
     * moment after each start, and for ever where the engine was killed in that moment: such a
     * container runs on, and only the runner tells of it.
     */
    UNKNOWN
  }
}
