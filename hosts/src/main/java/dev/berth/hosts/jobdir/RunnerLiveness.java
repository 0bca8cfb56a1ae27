package dev.berth.hosts.jobdir;

import dev.berth.hosts.access.ProcessIdentity;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** How it is known whether the runner that claimed a job is there. */
public interface RunnerLiveness {
  /**
   * Whether it is there.
   *
   * @param claim what the runner wrote when it took the job, which may be cut short, or not its own
   * @param process whether the process that the claim names was alive after the claim was read
   */
  boolean isAlive(String claim, BooleanSupplier process);

  /** Whether it is known for sure to have ended; where it is not, a silent one is waited for. */
  boolean hasEnded(String claim);

  /**
   * Of runners that are processes of the machine.
   *
   * @param seenEnding whether the runner with a process id is known to have ended because it was
   *     our own child
   */
  static RunnerLiveness ofProcesses(LongPredicate seenEnding) {
    return new RunnerLiveness() {
      @Override
      public boolean isAlive(String claim, BooleanSupplier process) {
        return identity(claim).isPresent() && process.getAsBoolean();
      }

      @Override
      public boolean hasEnded(String claim) {
        return identity(claim).filter(runner -> seenEnding.test(runner.pid())).isPresent();
      }
    };
  }

  /** Whose claim it is; empty where the line is not whole. */
  static Optional<ProcessIdentity> identity(String claim) {
    return claim.split(" ").length == 3 ? ProcessIdentity.parse(claim) : Optional.empty();
  }

  /**
   * Of a runner that is the first process of a container, which lives as long as it does. The claim
   * is in a file that the job may write, so it is not believed.
   *
   * @param container what the engine says of the container. Asked once, and only when it matters:
   *     after the claim was read, because a container that is looked at before may be made, and
   *     take the job, in between; and before it is read how the job ended, because a runner writes
   *     that before it ends itself
   */
  static RunnerLiveness ofContainer(Supplier<ContainerLife> container) {
    return new RunnerLiveness() {
      private @Nullable ContainerLife told;

      private ContainerLife life() {
        ContainerLife known = told;
        if (known == null) {
          known = container.get();
          told = known;
        }
        return known;
      }

      @Override
      public boolean isAlive(String claim, BooleanSupplier process) {
        return life() == ContainerLife.RUNNING;
      }

      @Override
      public boolean hasEnded(String claim) {
        return life() == ContainerLife.ENDED;
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
