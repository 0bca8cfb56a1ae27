package dev.berth.model;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Something that must happen in the world, written down before it does. */
public record Action(
    String id,
    Type type,
    String attemptId,
    String backend,
    @Nullable JobRequest job,
    @Nullable Duration grace,
    State state,
    int attempts,
    @Nullable Instant due,
    Instant deadline) {
  public enum Type {
    START_JOB,
    STOP_JOB,
    KILL_JOB,
    REMOVE_JOB
  }

  public enum State {
    /** To be handed over when it is due. */
    PENDING,
    /** Handed over; the world may have changed. */
    IN_FLIGHT,
    DONE,
    FAILED,
    REVOKED;

    public boolean finished() {
      return this == DONE || this == FAILED || this == REVOKED;
    }
  }

  public Action in(State next) {
    return new Action(id, type, attemptId, backend, job, grace, next, attempts, due, deadline);
  }

  /** To be handed over at a time; that it could not be until then is nobody's failure. */
  public Action parked(Instant until) {
    return new Action(
        id, type, attemptId, backend, job, grace, State.PENDING, attempts, until, deadline);
  }

  /** To be handed over once more, not before a time. */
  public Action again(Instant at) {
    return new Action(
        id, type, attemptId, backend, job, grace, State.PENDING, attempts + 1, at, deadline);
  }
}
