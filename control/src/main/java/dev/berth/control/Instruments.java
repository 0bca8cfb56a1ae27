package dev.berth.control;

import dev.berth.control.accounts.AccountGateway;
import dev.berth.model.Action;
import dev.berth.model.ActionOutcome;
import dev.berth.model.ResourceType;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/**
 * Who measures the control plane. Called on the paths that have to be fast, some of it by any
 * thread: nothing here may wait, and nothing may throw.
 */
public interface Instruments {
  /** Measures nothing. */
  Instruments NONE = new Instruments() {};

  /** How a commit ended. */
  enum CommitResult {
    KEPT,
    /** A rule of the ledger was broken, and nothing was written. */
    REFUSED,
    /** Another server took over, and nothing was written. */
    STALE,
    /** Nobody knows whether it was written. */
    UNCLEAR,
    /** The storage could not be used, and nothing was written. */
    FAILED;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** How a call to a backend ended. */
  enum CallResult {
    DONE,
    SOLD_OUT,
    IN_DOUBT,
    TRANSIENT,
    FAILED,
    /** The backend was not there to be called. */
    PARKED;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    static CallResult of(ActionOutcome outcome) {
      return switch (outcome) {
        case ActionOutcome.Done _, ActionOutcome.Created _, ActionOutcome.Looked _ -> DONE;
        case ActionOutcome.Parked _ -> PARKED;
        case ActionOutcome.MissingSecret _ -> FAILED;
        case ActionOutcome.Failed failed ->
            failed.lookAfter() != null
                ? IN_DOUBT
                : failed.noCapacity() ? SOLD_OUT : failed.transientFailure() ? TRANSIENT : FAILED;
      };
    }
  }

  /** What is waited for at a backend. */
  enum Provisioned {
    JOB,
    MACHINE;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * The loop decided about a batch of messages.
   *
   * @param lag how long the oldest of them had waited
   */
  default void stepped(int messages, Duration lag, Duration took) {}

  default void committed(CommitResult result, Duration took) {}

  /**
   * A call to a backend, without anything of what it was about but names.
   *
   * @param of what kind of thing it was about
   * @param resourceId the key of that thing; of a job, the id of its attempt
   * @param number how often it was handed over, this time included
   */
  record Call(
      String backend,
      Action.Type operation,
      ResourceType of,
      String resourceId,
      int number,
      CallResult result,
      Instant from,
      Instant to) {
    public Duration took() {
      return Duration.between(from, to);
    }
  }

  /** A backend was called for an action. */
  default void called(Call call) {}

  /** A provider with limits for calls gets one, whatever it is for. */
  default void asked(String backend, AccountGateway.Kind kind) {}

  /** A call to a backend did not come back and was given up. */
  default void silent(String backend, Action.Type operation) {}

  /** An attempt found a place, so long after it was asked for. */
  default void placed(Duration waited) {}

  /** A job was started or a machine was ready, so long after its place was found. */
  default void provisioned(String backend, Provisioned what, Duration took) {}

  /** A backend was looked through, and so many things there are ours and unknown. */
  default void swept(String backend, int strangers) {}

  /** Something of ours that nobody knew is gone. */
  default void strangerGone(String backend) {}
}
