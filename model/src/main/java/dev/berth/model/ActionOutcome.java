package dev.berth.model;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How an action went. */
public sealed interface ActionOutcome {
  record Done(Instant at) implements ActionOutcome {}

  /** Something was made, or found to be made already. */
  record Created(Instant at, Resource.Ref ref) implements ActionOutcome {}

  /**
   * What carries a key was looked for.
   *
   * @param found all that carry it; more than one where a provider made what was asked twice
   * @param pause how long to wait before the next look, where nothing was found
   */
  record Looked(List<Resource.Ref> found, Duration pause) implements ActionOutcome {
    public Looked {
      found = List.copyOf(found);
    }
  }

  /**
   * It did not work.
   *
   * @param transientFailure whether the same may work later
   * @param noCapacity whether the place is sold out, so that another one may do
   * @param delay how long not to ask again; null for the usual time
   * @param lookAfter where it may have happened all the same and asking again would make a second
   *     one: when to look for it; otherwise null
   */
  record Failed(
      String message,
      boolean transientFailure,
      boolean noCapacity,
      @Nullable Duration delay,
      @Nullable Duration lookAfter)
      implements ActionOutcome {
    public Failed(String message, boolean transientFailure) {
      this(message, transientFailure, false, null, null);
    }

    /** The same in other words. */
    public Failed saying(String newMessage) {
      return new Failed(newMessage, transientFailure, noCapacity, delay, lookAfter);
    }

    /** The place is sold out. */
    public static Failed soldOut(String message) {
      return new Failed(message, false, true, null, null);
    }

    /** It is not known whether it happened, and asking again is not safe. */
    public static Failed inDoubt(String message, Duration lookAfter) {
      return new Failed(message, true, false, null, lookAfter);
    }
  }

  /** A secret that a job needs is not there, so that nobody was asked for anything. */
  record MissingSecret(String message) implements ActionOutcome {}

  /** Nobody is there who could do it: its backend is not installed, or not open. */
  record Parked(String message) implements ActionOutcome {}
}
