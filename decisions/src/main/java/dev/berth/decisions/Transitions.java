package dev.berth.decisions;

import dev.berth.model.Attempt;
import dev.berth.model.Entity;
import dev.berth.model.Fleet;
import dev.berth.model.Instance;
import dev.berth.model.Job;
import dev.berth.model.JobStatus;
import dev.berth.model.Member;
import dev.berth.model.Placement;
import dev.berth.model.Project;
import dev.berth.model.Resource;
import dev.berth.model.Run;
import dev.berth.model.RunStatus;
import dev.berth.model.StoredSecret;
import dev.berth.model.Token;
import dev.berth.model.User;
import dev.berth.model.Webhook;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which step each life allows. A finished state never changes again. */
public final class Transitions {
  static final Map<RunStatus, Set<RunStatus>> RUN =
      Map.of(
          RunStatus.PENDING,
              Set.of(
                  RunStatus.SUBMITTED,
                  RunStatus.PROVISIONING,
                  RunStatus.TERMINATING,
                  RunStatus.FAILED,
                  RunStatus.TERMINATED),
          RunStatus.SUBMITTED,
              Set.of(
                  RunStatus.PENDING,
                  RunStatus.PROVISIONING,
                  RunStatus.RUNNING,
                  RunStatus.TERMINATING,
                  RunStatus.DONE,
                  RunStatus.FAILED,
                  RunStatus.TERMINATED),
          RunStatus.PROVISIONING,
              Set.of(
                  RunStatus.PENDING,
                  RunStatus.SUBMITTED,
                  RunStatus.RUNNING,
                  RunStatus.TERMINATING,
                  RunStatus.DONE,
                  RunStatus.FAILED,
                  RunStatus.TERMINATED),
          RunStatus.RUNNING,
              Set.of(
                  RunStatus.PENDING,
                  RunStatus.SUBMITTED,
                  RunStatus.PROVISIONING,
                  RunStatus.TERMINATING,
                  RunStatus.DONE,
                  RunStatus.FAILED,
                  RunStatus.TERMINATED),
          RunStatus.TERMINATING,
              Set.of(RunStatus.PENDING, RunStatus.DONE, RunStatus.FAILED, RunStatus.TERMINATED),
          RunStatus.DONE, Set.of(),
          RunStatus.FAILED, Set.of(),
          RunStatus.TERMINATED, Set.of());

  private static final Set<JobStatus> JOB_ENDS =
      Set.of(JobStatus.DONE, JobStatus.FAILED, JobStatus.TERMINATED, JobStatus.ABORTED);

  /** An attempt goes forward only. */
  static final Map<JobStatus, Set<JobStatus>> ATTEMPT =
      Map.of(
          JobStatus.SUBMITTED, plusEnds(JobStatus.PROVISIONING, JobStatus.TERMINATING),
          JobStatus.PROVISIONING,
              plusEnds(JobStatus.PULLING, JobStatus.RUNNING, JobStatus.TERMINATING),
          JobStatus.PULLING, plusEnds(JobStatus.RUNNING, JobStatus.TERMINATING),
          JobStatus.RUNNING, plusEnds(JobStatus.TERMINATING),
          JobStatus.TERMINATING, JOB_ENDS,
          JobStatus.DONE, Set.of(),
          JobStatus.FAILED, Set.of(),
          JobStatus.TERMINATED, Set.of(),
          JobStatus.ABORTED, Set.of());

  /** A job goes back to the line for its next attempt, as long as it has not ended. */
  static final Map<JobStatus, Set<JobStatus>> JOB =
      Map.of(
          JobStatus.SUBMITTED, plusEnds(JobStatus.PROVISIONING, JobStatus.TERMINATING),
          JobStatus.PROVISIONING,
              plusEnds(
                  JobStatus.SUBMITTED, JobStatus.PULLING, JobStatus.RUNNING, JobStatus.TERMINATING),
          JobStatus.PULLING,
              plusEnds(JobStatus.SUBMITTED, JobStatus.RUNNING, JobStatus.TERMINATING),
          JobStatus.RUNNING, plusEnds(JobStatus.SUBMITTED, JobStatus.TERMINATING),
          JobStatus.TERMINATING, plusEnds(JobStatus.SUBMITTED),
          JobStatus.DONE, Set.of(),
          JobStatus.FAILED, Set.of(),
          JobStatus.TERMINATED, Set.of(),
          JobStatus.ABORTED, Set.of());

  static final Map<Fleet.Status, Set<Fleet.Status>> FLEET =
      Map.of(
          Fleet.Status.ACTIVE, Set.of(Fleet.Status.TERMINATING),
          Fleet.Status.TERMINATING, Set.of(Fleet.Status.TERMINATED),
          Fleet.Status.TERMINATED, Set.of());
  static final Map<Placement.State, Set<Placement.State>> PLACEMENT =
      Map.of(
          Placement.State.RESERVING,
              Set.of(Placement.State.CREATING, Placement.State.UNWINDING, Placement.State.CLOSED),
          Placement.State.CREATING,
              Set.of(Placement.State.READY, Placement.State.UNWINDING, Placement.State.CLOSED),
          Placement.State.READY, Set.of(Placement.State.UNWINDING, Placement.State.CLOSED),
          Placement.State.UNWINDING, Set.of(Placement.State.RESERVING, Placement.State.CLOSED),
          Placement.State.CLOSED, Set.of());

  static final Map<Resource.State, Set<Resource.State>> RESOURCE =
      Map.of(
          Resource.State.INTENDED, Set.of(Resource.State.ASKED, Resource.State.GONE),
          Resource.State.ASKED,
              Set.of(
                  Resource.State.PRESENT,
                  Resource.State.IN_DOUBT,
                  Resource.State.LEAVING,
                  Resource.State.GONE),
          Resource.State.PRESENT, Set.of(Resource.State.LEAVING, Resource.State.GONE),
          Resource.State.IN_DOUBT,
              Set.of(
                  Resource.State.ASKED,
                  Resource.State.PRESENT,
                  Resource.State.LEAVING,
                  Resource.State.GONE),
          Resource.State.LEAVING, Set.of(Resource.State.GONE),
          Resource.State.GONE, Set.of());

  static final Map<Instance.Status, Set<Instance.Status>> INSTANCE =
      Map.of(
          Instance.Status.PENDING,
              Set.of(Instance.Status.PROVISIONING, Instance.Status.TERMINATING),
          Instance.Status.PROVISIONING,
              Set.of(Instance.Status.IDLE, Instance.Status.BUSY, Instance.Status.TERMINATING),
          Instance.Status.IDLE,
              Set.of(
                  Instance.Status.BUSY, Instance.Status.UNREACHABLE, Instance.Status.TERMINATING),
          Instance.Status.BUSY,
              Set.of(
                  Instance.Status.IDLE, Instance.Status.UNREACHABLE, Instance.Status.TERMINATING),
          Instance.Status.UNREACHABLE,
              Set.of(Instance.Status.IDLE, Instance.Status.BUSY, Instance.Status.TERMINATING),
          Instance.Status.TERMINATING, Set.of(Instance.Status.TERMINATED),
          Instance.Status.TERMINATED, Set.of());

  private Transitions() {}

  /**
   * Refuses a step that the tables do not have.
   *
   * @throws IllegalStateException which sets the message aside that asked for it
   */
  static void check(Entity before, Entity after) {
    boolean allowed =
        switch (after) {
          case Run run -> step(RUN, ((Run) before).status(), run.status());
          case Job job -> step(JOB, ((Job) before).status(), job.status());
          case Attempt attempt -> step(ATTEMPT, ((Attempt) before).status(), attempt.status());
          case Placement placement ->
              step(PLACEMENT, ((Placement) before).phase(), placement.phase());
          case Resource resource -> step(RESOURCE, ((Resource) before).phase(), resource.phase());
          case Fleet fleet -> step(FLEET, ((Fleet) before).status(), fleet.status());
          case Instance instance -> step(INSTANCE, ((Instance) before).status(), instance.status());
          // Roles and values change, and who was deleted may come back.
          case User _, Member _, StoredSecret _, Webhook _ -> true;
          case Project project -> project.equals(before) || ((Project) before).present();
          case Token token -> token.equals(before) || before.active();
        };
    if (!allowed) {
      throw new IllegalStateException(
          after.kind().word()
              + " "
              + after.id()
              + " cannot go from "
              + before.state()
              + " to "
              + after.state());
    }
  }

  /** Staying is allowed while the life goes on; what is finished does not change at all. */
  private static <S> boolean step(Map<S, Set<S>> table, S from, S to) {
    Set<S> next = table.getOrDefault(from, Set.of());
    return next.contains(to) || (from.equals(to) && !next.isEmpty());
  }

  private static Set<JobStatus> plusEnds(JobStatus... more) {
    Set<JobStatus> all = new HashSet<>(JOB_ENDS);
    all.addAll(List.of(more));
    return Set.copyOf(all);
  }
}
