package dev.berth.model;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Something that must happen in the world, written down before it does.
 *
 * @param resourceId the key of the one resource that it is about
 * @param of what kind of thing that is
 * @param job what is started, for the start of a job
 * @param machine what is made, for the creation of a machine or of a placement group
 * @param ref what is deleted, where the provider named it; without it all that carry the key are
 * @param machineId the machine on which Berth itself runs the job that it is about; null where the
 *     backend runs it
 */
public record Action(
    String id,
    Type type,
    String resourceId,
    String backend,
    Resource.Type of,
    @Nullable JobRequest job,
    @Nullable MachineRequest machine,
    Resource.@Nullable Ref ref,
    @Nullable Duration grace,
    State state,
    int attempts,
    @Nullable Instant due,
    Instant deadline,
    @Nullable String machineId) {
  /** One about what is no job on a machine that Berth runs jobs on. */
  public Action(
      String id,
      Type type,
      String resourceId,
      String backend,
      Resource.Type of,
      @Nullable JobRequest job,
      @Nullable MachineRequest machine,
      Resource.@Nullable Ref ref,
      @Nullable Duration grace,
      State state,
      int attempts,
      @Nullable Instant due,
      Instant deadline) {
    this(
        id,
        type,
        resourceId,
        backend,
        of,
        job,
        machine,
        ref,
        grace,
        state,
        attempts,
        due,
        deadline,
        null);
  }

  public enum Type {
    START_JOB,
    STOP_JOB,
    KILL_JOB,
    REMOVE_JOB,
    /** Makes a machine, or anything else but a job. */
    CREATE,
    /** Looks for what carries the key, after an answer that said nothing. */
    LOOK,
    DELETE;

    /** Whether it brings something into the world that may cost money. */
    public boolean makes() {
      return this == START_JOB || this == CREATE;
    }
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

  /** One to be handed over now, about a resource. */
  public static Action now(String id, Type type, Resource about, Instant deadline) {
    return new Action(
        id,
        type,
        about.id(),
        about.backend(),
        about.type(),
        null,
        null,
        about.ref(),
        null,
        State.IN_FLIGHT,
        1,
        null,
        deadline,
        about.machineId());
  }

  public JobRequest requireJob() {
    return Objects.requireNonNull(job, "a start has a job");
  }

  public MachineRequest requireMachine() {
    return Objects.requireNonNull(machine, "a creation has a machine");
  }

  public Action in(State next) {
    return with(next, attempts, due);
  }

  /** To be handed over at a time; that it could not be until then is nobody's failure. */
  public Action parked(Instant until) {
    return with(State.PENDING, attempts, until);
  }

  /** To be handed over once more, not before a time. */
  public Action again(Instant at) {
    return with(State.PENDING, attempts + 1, at);
  }

  /** With the job that is started. */
  public Action with(@Nullable JobRequest newJob) {
    return new Action(
        id,
        type,
        resourceId,
        backend,
        of,
        newJob,
        machine,
        ref,
        grace,
        state,
        attempts,
        due,
        deadline,
        machineId);
  }

  /** With the machine that is made. */
  public Action with(@Nullable MachineRequest newMachine) {
    return new Action(
        id,
        type,
        resourceId,
        backend,
        of,
        job,
        newMachine,
        ref,
        grace,
        state,
        attempts,
        due,
        deadline,
        machineId);
  }

  /** With the time that what is stopped has to end. */
  public Action with(@Nullable Duration newGrace) {
    return new Action(
        id,
        type,
        resourceId,
        backend,
        of,
        job,
        machine,
        ref,
        newGrace,
        state,
        attempts,
        due,
        deadline,
        machineId);
  }

  private Action with(State newState, int newAttempts, @Nullable Instant newDue) {
    return new Action(
        id,
        type,
        resourceId,
        backend,
        of,
        job,
        machine,
        ref,
        grace,
        newState,
        newAttempts,
        newDue,
        deadline,
        machineId);
  }
}
