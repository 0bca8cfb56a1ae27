package dev.berth.control;

import dev.berth.model.Action;
import dev.berth.model.Boot;
import dev.berth.model.JobRequest;
import dev.berth.model.MachineRequest;
import dev.berth.model.Operation;
import dev.berth.model.PlacementGroupRequest;
import dev.berth.model.Resource;
import dev.berth.model.ResourceRequest;
import dev.berth.model.ResourceType;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An action as the ledger keeps it: flat, as all versions have written it.
 *
 * @param job what is started, or looked for after its start
 * @param machine what is made, or looked for; of a placement group no more than it has
 * @param ref what is deleted
 * @param grace the time that what is stopped has to end
 */
record StoredAction(
    String id,
    Action.Type type,
    String resourceId,
    String backend,
    ResourceType of,
    @Nullable JobRequest job,
    @Nullable MachineRequest machine,
    Resource.@Nullable Ref ref,
    @Nullable Duration grace,
    Action.State state,
    int attempts,
    @Nullable Instant due,
    Instant deadline,
    @Nullable String machineId) {
  static StoredAction of(Action action) {
    return new StoredAction(
        action.id(),
        action.type(),
        action.resourceId(),
        action.backend(),
        action.of(),
        action.job().orElse(null),
        action.request().map(StoredAction::stored).orElse(null),
        action.operation() instanceof Operation.Delete delete ? delete.ref() : null,
        action.operation() instanceof Operation.StopJob stop ? stop.grace() : null,
        action.state(),
        action.attempts(),
        action.due(),
        action.deadline(),
        action.machineId());
  }

  private static MachineRequest stored(ResourceRequest request) {
    return switch (request) {
      case MachineRequest wanted -> wanted;
      case PlacementGroupRequest group ->
          new MachineRequest(
              group.place(), null, group.name(), null, group.tags(), null, Boot.NONE, group.seq());
    };
  }

  Action toAction() {
    return new Action(
        id, operation(), resourceId, backend, state, attempts, due, deadline, machineId);
  }

  private Operation operation() {
    return switch (type) {
      case START_JOB -> new Operation.StartJob(requireJob());
      case STOP_JOB -> new Operation.StopJob(Objects.requireNonNullElse(grace, Duration.ZERO));
      case KILL_JOB -> new Operation.KillJob();
      case RELEASE_JOB -> new Operation.ReleaseJob();
      case REMOVE_JOB -> new Operation.RemoveJob();
      case CREATE -> new Operation.Create(request());
      case LOOK ->
          of == ResourceType.JOB
              ? new Operation.FindJob(requireJob())
              : new Operation.Find(request());
      case DELETE -> new Operation.Delete(of, Objects.requireNonNull(ref, "it was named"));
    };
  }

  private JobRequest requireJob() {
    return Objects.requireNonNull(job, "a start has a job");
  }

  private ResourceRequest request() {
    MachineRequest wanted = Objects.requireNonNull(machine, "a creation has a request");
    return switch (of) {
      case INSTANCE -> wanted;
      case PLACEMENT_GROUP ->
          new PlacementGroupRequest(wanted.place(), wanted.name(), wanted.tags(), wanted.seq());
      case JOB, GROUP, VOLUME, DISK, ADDRESS, KEY, GATEWAY, LOAD_BALANCER ->
          throw new IllegalStateException("no version has asked for a " + of.word());
    };
  }
}
