package dev.berth.model;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Something that must happen in the world, written down before it does.
 *
 * @param resourceId the key of the one resource that it is about
 * @param machineId the machine on which Berth itself runs the job that it is about; null where the
 *     backend runs it
 */
public record Action(
    String id,
    Operation operation,
    String resourceId,
    String backend,
    State state,
    int attempts,
    @Nullable Instant due,
    Instant deadline,
    @Nullable String machineId) {
  /** The words for operations in the ledger, in logs and in metrics. */
  public enum Type {
    START_JOB,
    STOP_JOB,
    KILL_JOB,
    RELEASE_JOB,
    REMOVE_JOB,
    CREATE,
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
  public static Action now(String id, Operation operation, Resource about, Instant deadline) {
    return new Action(
        id,
        operation,
        about.id(),
        about.backend(),
        State.IN_FLIGHT,
        1,
        null,
        deadline,
        about.machineId());
  }

  public Type type() {
    return operation.type();
  }

  /** What kind of resource it is about. */
  public ResourceType of() {
    return operation.of();
  }

  /** The job that is started, or that is looked for after its start. */
  public Optional<JobRequest> job() {
    return switch (operation) {
      case Operation.StartJob start -> Optional.of(start.request());
      case Operation.FindJob find -> Optional.of(find.request());
      case Operation.OnJob _, Operation.OnResource _ -> Optional.empty();
    };
  }

  /** What is made, or looked for after it was asked for. */
  public Optional<ResourceRequest> request() {
    return switch (operation) {
      case Operation.Create create -> Optional.of(create.request());
      case Operation.Find find -> Optional.of(find.request());
      case Operation.OnJob _, Operation.OnResource _ -> Optional.empty();
    };
  }

  /** The machine that is made, or looked for after it was asked for. */
  public Optional<MachineRequest> machine() {
    return request().filter(MachineRequest.class::isInstance).map(MachineRequest.class::cast);
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

  /** Counted as so many tries. */
  public Action counting(int tries) {
    return with(state, tries, due);
  }

  /** Not handed over before somebody says so. */
  public Action held() {
    return with(State.PENDING, attempts, null);
  }

  /** Whether it is not handed over before somebody says so, whatever the time. */
  public boolean isHeld() {
    return state == State.PENDING && due == null;
  }

  /** The same, or a look for the same, with another request. */
  public Action asking(ResourceRequest request) {
    return switch (operation) {
      case Operation.Create _ -> with(new Operation.Create(request));
      case Operation.Find _ -> with(new Operation.Find(request));
      case Operation.OnJob _, Operation.Delete _ ->
          throw new IllegalArgumentException("it asks for nothing: " + id);
    };
  }

  /** About the same resource, with something else to be done. */
  public Action with(Operation newOperation) {
    return new Action(
        id, newOperation, resourceId, backend, state, attempts, due, deadline, machineId);
  }

  private Action with(State newState, int newAttempts, @Nullable Instant newDue) {
    return new Action(
        id, operation, resourceId, backend, newState, newAttempts, newDue, deadline, machineId);
  }
}
