package dev.berth.decisions;

import dev.berth.model.Action;
import dev.berth.model.Attempt;
import dev.berth.model.Instance;
import dev.berth.model.Job;
import dev.berth.model.JobReason;
import dev.berth.model.JobRequest;
import dev.berth.model.JobSpec;
import dev.berth.model.JobStatus;
import dev.berth.model.Placement;
import dev.berth.model.Resource;
import dev.berth.model.ResourceVector;
import dev.berth.model.Run;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Gives places to those who wait, in the order in which they came. */
final class Scheduler {
  private static final Duration ACTION_DEADLINE = Duration.ofMinutes(10);

  private Scheduler() {}

  /**
   * One pass over all who wait. Nobody overtakes: where one has to wait for a machine, those behind
   * wait too.
   */
  static void pass(Draft draft, Instant now) {
    for (Placement placement : List.copyOf(draft.active(Placement.class))) {
      if (placement.phase() == Placement.State.RESERVING && !place(draft, placement, now)) {
        return;
      }
    }
  }

  /** Places one, or ends it where no machine could ever take it; false where it has to wait. */
  private static boolean place(Draft draft, Placement placement, Instant now) {
    Attempt attempt = draft.find(Attempt.class, placement.members().getFirst()).orElseThrow();
    Job job = draft.find(Job.class, attempt.jobId()).orElseThrow();
    JobSpec.Requirements needs = job.spec().requirements();
    Collection<Instance> instances = draft.active(Instance.class);
    if (instances.isEmpty()) {
      return false;
    }
    for (Instance instance : instances) {
      Optional<ResourceVector> share = Fitting.share(needs, instance);
      if (share.isPresent()) {
        start(draft, placement, attempt, job, instance, share.get(), now);
        return true;
      }
    }
    if (instances.stream().anyMatch(instance -> Fitting.fitsEver(needs, instance))) {
      return false;
    }
    AttemptLife.end(
        draft,
        attempt,
        JobReason.FAILED_TO_START_DUE_TO_NO_CAPACITY,
        "no machine has what 'resources' asks for",
        null,
        now);
    return true;
  }

  private static void start(
      Draft draft,
      Placement placement,
      Attempt attempt,
      Job job,
      Instance instance,
      ResourceVector share,
      Instant now) {
    String actionId = attempt.id() + "-start";
    draft.put(instance.allocate(attempt.id(), share));
    draft.put(attempt.placedOn(instance, instance.price()));
    draft
        .find(Run.class, attempt.runId())
        .ifPresent(run -> draft.put(run.placedOn(instance.backend(), instance.price())));
    draft.put(job.in(JobStatus.PROVISIONING, null));
    draft.put(placement.in(Placement.State.CREATING));
    draft.put(
        new Resource(
            attempt.id(),
            attempt.project(),
            attempt.id(),
            instance.backend(),
            Resource.Type.JOB,
            Resource.State.ASKED,
            null,
            actionId,
            null));
    draft.put(
        new Action(
            actionId,
            Action.Type.START_JOB,
            attempt.id(),
            instance.backend(),
            new JobRequest(attempt.id(), job.spec(), share),
            null,
            Action.State.IN_FLIGHT,
            1,
            null,
            now.plus(ACTION_DEADLINE)));
    draft.event(
        "attempt.placed",
        attempt,
        Event.SERVER,
        Map.of("instance", instance.name(), "backend", instance.backend()));
    RunLife.follow(draft, attempt.runId(), now);
  }
}
