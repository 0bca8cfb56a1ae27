package dev.berth.decisions;

import dev.berth.model.Attempt;
import dev.berth.model.Instance;
import dev.berth.model.InstanceReason;
import dev.berth.model.Job;
import dev.berth.model.JobReason;
import dev.berth.model.JobStatus;
import dev.berth.model.Placement;
import dev.berth.model.Resource;
import dev.berth.model.Run;
import dev.berth.model.RunReason;
import dev.berth.model.RunStatus;
import dev.berth.model.Work;
import dev.berth.model.config.StopCriteria;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the end of one attempt means for its replica: the others go on, all of them are tried again,
 * or it is over.
 */
final class ReplicaLife {
  /** So many offers are tried before it is said that there is no capacity. */
  static final int MOST_OFFERS = 25;

  private ReplicaLife() {}

  /** An attempt has ended; its share of a machine is free already. */
  static void ended(Draft draft, Attempt attempt, Instant now) {
    Run run = draft.find(Run.class, attempt.runId()).orElseThrow();
    draft.put(run.charged(attempt.cost(now)));
    Job job = draft.find(Job.class, attempt.jobId()).orElseThrow();
    Placement placement = draft.find(Placement.class, attempt.placementId()).orElseThrow();
    JobReason reason = Objects.requireNonNull(attempt.reason(), "an end has a reason");
    // What happened to it stands in the job until its replica is over: an end is for ever.
    draft.put(
        job.in(job.status() == JobStatus.SUBMITTED ? JobStatus.SUBMITTED : stage(job), reason));
    if (run.status() == RunStatus.TERMINATING) {
      tell(draft, attempt, reason);
      closeIfOver(draft, placement, now);
    } else if (placement.phase() == Placement.State.UNWINDING) {
      renewIfOver(draft, placement, now);
    } else if (reason == JobReason.DONE_BY_RUNNER) {
      draft
          .find(Run.class, run.id())
          .filter(current -> current.exitCode() == null)
          .ifPresent(current -> draft.put(current.because(null, null, attempt.exitCode())));
      done(draft, run, job, placement, now);
    } else {
      failed(draft, attempt, placement, now);
    }
  }

  /** The end of a run that is stopped says how its jobs took that. */
  private static void tell(Draft draft, Attempt attempt, JobReason reason) {
    Run run = draft.find(Run.class, attempt.runId()).orElseThrow();
    if (run.message() == null && run.exitCode() == null && run.reason() != null) {
      draft.put(
          run.because(
              run.reason(),
              reason == JobReason.DONE_BY_RUNNER ? null : sentence(attempt),
              AttemptLife.ownExitCode(attempt)));
    }
  }

  /** Where a job stands whose attempt has ended while its replica goes on. */
  private static JobStatus stage(Job job) {
    return job.status() == JobStatus.TERMINATING ? JobStatus.TERMINATING : JobStatus.RUNNING;
  }

  private static void done(Draft draft, Run run, Job job, Placement placement, Instant now) {
    if (job.master()
        && run.policy().stopCriteria() == StopCriteria.MASTER_DONE
        && placement.members().size() > 1) {
      Run current = draft.find(Run.class, run.id()).orElseThrow();
      if (isLast(draft, current)) {
        draft.put(current.ending(RunReason.ALL_JOBS_DONE));
      }
      for (String member : placement.members()) {
        draft
            .find(Attempt.class, member)
            .filter(Attempt::active)
            .ifPresent(other -> AttemptLife.stop(draft, other, JobReason.DONE_BY_RUNNER, now));
      }
    }
    closeIfOver(draft, placement, now);
  }

  /** Whether all other replicas of a run are over. */
  private static boolean isLast(Draft draft, Run run) {
    Work work = run.work();
    return (work == null || work.isAllMade())
        && draft.children(Placement.class, run.id()).size() == 1;
  }

  private static void failed(Draft draft, Attempt attempt, Placement placement, Instant now) {
    Run run = draft.find(Run.class, attempt.runId()).orElseThrow();
    JobReason reason = Objects.requireNonNull(attempt.reason());
    // From when an attempt that had its place ended on, it is counted for how long it is retried.
    Placement counted = attempt.startedAt() == null ? placement : placement.had(now);
    switch (Retries.verdict(run.policy().retry(), reason, counted, now)) {
      case AGAIN -> {
        draft.put(
            counted
                .waiting(now.plus(Retries.pause(counted.trials())))
                .in(Placement.State.UNWINDING));
        draft.put(run.saying(sentence(attempt)));
        draft.event("attempt.retried", attempt, Event.SERVER, Map.of("reason", reason.word()));
        unwindOthers(draft, placement, JobReason.TERMINATED_BY_SERVER, now);
        renewIfOver(draft, draft.find(Placement.class, placement.id()).orElseThrow(), now);
      }
      case EXHAUSTED -> over(draft, attempt, placement, RunReason.RETRY_LIMIT_EXCEEDED, now);
      case NO -> over(draft, attempt, placement, RunReason.JOB_FAILED, now);
    }
  }

  private static @Nullable String sentence(Attempt attempt) {
    return attempt.message() != null
        ? attempt.message()
        : attempt.reason() == null ? null : attempt.reason().sentence();
  }

  /** The run cannot succeed any more. */
  private static void over(
      Draft draft, Attempt attempt, Placement placement, RunReason reason, Instant now) {
    RunLife.blame(
        draft, attempt.runId(), reason, sentence(attempt), AttemptLife.ownExitCode(attempt));
    List<Job> others =
        draft.children(Job.class, attempt.runId()).stream()
            .filter(job -> !draft.children(Attempt.class, job.id()).isEmpty())
            .toList();
    if (!others.isEmpty()) {
      Run run = draft.find(Run.class, attempt.runId()).orElseThrow();
      draft.put(run.in(RunStatus.TERMINATING).with(rest(run)));
      RunLife.stopJobs(draft, run.id(), JobReason.TERMINATED_BY_SERVER, now);
    }
    Run run = draft.find(Run.class, attempt.runId()).orElseThrow();
    if (run.active()) {
      draft.put(run.with(rest(run)));
    }
    draft
        .find(Placement.class, placement.id())
        .filter(Placement::active)
        .ifPresent(current -> closeIfOver(draft, current, now));
  }

  /** No more of it is made, except by the next execution of a schedule. */
  private static @Nullable Work rest(Run run) {
    Work work = run.work();
    return work == null || !run.policy().isScheduled() ? null : work.withMade(work.replicas());
  }

  /** Closes a placement all of whose members have ended, and gives their jobs their final state. */
  private static void closeIfOver(Draft draft, Placement placement, Instant now) {
    Placement current = draft.find(Placement.class, placement.id()).orElse(placement);
    if (!current.active() || !isOver(draft, current)) {
      return;
    }
    draft.put(current.in(Placement.State.CLOSED));
    for (String member : current.members()) {
      draft
          .find(Job.class, jobOf(member))
          .filter(Job::active)
          .ifPresent(
              job -> {
                JobReason reason =
                    job.reason() == null ? JobReason.TERMINATED_BY_SERVER : job.reason();
                draft.put(job.in(reason.end(), reason));
              });
    }
    RunLife.follow(draft, current.runId(), now);
  }

  private static String jobOf(String attemptId) {
    return attemptId.substring(0, attemptId.lastIndexOf('-'));
  }

  private static boolean isOver(Draft draft, Placement placement) {
    return placement.members().stream()
        .noneMatch(member -> draft.find(Attempt.class, member).filter(Attempt::active).isPresent());
  }

  /**
   * An offer cannot be had: what was made of the replica is taken back, and then the next one is
   * tried.
   */
  static void nextOffer(
      Draft draft, Placement placement, String offer, String message, Instant now) {
    draft.put(placement.without(offer).in(Placement.State.UNWINDING));
    draft.find(Run.class, placement.runId()).ifPresent(run -> draft.put(run.saying(message)));
    unwindOthers(draft, placement, JobReason.FAILED_TO_START_DUE_TO_NO_CAPACITY, now);
    renewIfOver(draft, draft.find(Placement.class, placement.id()).orElseThrow(), now);
  }

  /** Takes back what the members of a replica have. */
  private static void unwindOthers(
      Draft draft, Placement placement, JobReason reason, Instant now) {
    for (String member : placement.members()) {
      draft
          .find(Attempt.class, member)
          .filter(Attempt::active)
          .ifPresent(attempt -> unwind(draft, attempt, reason, now));
    }
  }

  private static void unwind(Draft draft, Attempt attempt, JobReason reason, Instant now) {
    Optional<Resource> job = draft.find(Resource.class, attempt.id()).filter(Resource::active);
    Optional<Instance> made =
        Optional.ofNullable(attempt.instanceId())
            .flatMap(id -> draft.find(Instance.class, id))
            .filter(instance -> InstanceLife.isMadeFor(instance, attempt))
            .filter(Instance::active);
    if (job.isPresent() || made.isEmpty()) {
      AttemptLife.stop(draft, attempt, reason, now);
      return;
    }
    if (attempt.status() != JobStatus.TERMINATING) {
      draft.put(attempt.ending(reason));
    }
    InstanceLife.leave(draft, made.get(), InstanceReason.NOT_NEEDED, null, now);
  }

  /** Puts a replica in line once more when nothing of its last try is left. */
  private static void renewIfOver(Draft draft, Placement placement, Instant now) {
    Placement current = draft.find(Placement.class, placement.id()).orElseThrow();
    if (current.phase() != Placement.State.UNWINDING || !isOver(draft, current)) {
      return;
    }
    List<String> attempts = new ArrayList<>();
    for (String member : current.members()) {
      Job job = draft.find(Job.class, jobOf(member)).orElseThrow();
      Attempt next = Attempt.of(job, Attempt.numberOf(member) + 1, current.id(), now);
      draft.put(next);
      draft.put(job.in(JobStatus.SUBMITTED, null));
      attempts.add(next.id());
    }
    Placement renewed = current.again(attempts);
    draft.put(renewed);
    RunLife.follow(draft, current.runId(), now);
    if (renewed.tried().size() >= MOST_OFFERS) {
      String said = draft.find(Run.class, current.runId()).map(Run::message).orElse(null);
      noCapacity(
          draft,
          renewed,
          "none of the " + MOST_OFFERS + " offers had capacity" + (said == null ? "" : ": " + said),
          now);
    }
  }

  /** Nothing can take a replica that is in line: it waits for another try, or is over. */
  static void noCapacity(Draft draft, Placement placement, String message, Instant now) {
    Run run = draft.find(Run.class, placement.runId()).orElseThrow();
    JobReason reason = JobReason.FAILED_TO_START_DUE_TO_NO_CAPACITY;
    if (Retries.verdict(run.policy().retry(), reason, placement, now) == Retries.Verdict.AGAIN) {
      draft.put(placement.waiting(now.plus(Retries.pause(placement.trials()))));
      draft.put(run.saying(message));
      RunLife.follow(draft, run.id(), now);
      return;
    }
    List<Attempt> members =
        placement.members().stream()
            .flatMap(member -> draft.find(Attempt.class, member).stream())
            .filter(Attempt::active)
            .toList();
    for (Attempt attempt : members) {
      draft
          .find(Attempt.class, attempt.id())
          .filter(Attempt::active)
          .ifPresent(current -> AttemptLife.end(draft, current, reason, message, null, now));
    }
  }
}
