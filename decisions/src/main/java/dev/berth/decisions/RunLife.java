package dev.berth.decisions;

import dev.berth.model.Action;
import dev.berth.model.Attempt;
import dev.berth.model.Entity;
import dev.berth.model.Job;
import dev.berth.model.JobReason;
import dev.berth.model.JobStatus;
import dev.berth.model.Placement;
import dev.berth.model.Run;
import dev.berth.model.RunReason;
import dev.berth.model.RunStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** From the submission to the end of a run. */
final class RunLife {
  private RunLife() {}

  static Reply submit(Draft draft, Message.Submit submit, Instant now) {
    if (draft.activeRun(submit.project(), submit.name()).isPresent()) {
      return new Reply.Refused(
          Reply.Code.NAME_TAKEN,
          "the run '" + submit.name() + "' has not ended; stop it first, or choose another name");
    }
    Run run =
        new Run(
            submit.runId(),
            submit.project(),
            submit.user(),
            submit.name(),
            "task",
            submit.written(),
            RunStatus.SUBMITTED,
            null,
            null,
            null,
            null,
            null,
            0,
            now,
            null);
    String jobId = submit.runId() + "-0-0";
    String placementId = submit.runId() + "-0-p1";
    String attemptId = jobId + "-1";
    Job job =
        new Job(
            jobId,
            submit.project(),
            submit.runId(),
            0,
            0,
            List.of(),
            true,
            List.of(),
            List.of(),
            JobPlanner.spec(submit, jobId),
            JobStatus.SUBMITTED,
            null);
    draft.put(run);
    draft.put(job);
    draft.put(
        new Attempt(
            attemptId,
            submit.project(),
            submit.runId(),
            jobId,
            1,
            placementId,
            JobStatus.SUBMITTED,
            null,
            null,
            null,
            null,
            null,
            0,
            now,
            null,
            null));
    draft.put(
        new Placement(
            placementId,
            submit.project(),
            submit.runId(),
            0,
            Placement.State.RESERVING,
            List.of(attemptId),
            List.of(),
            now,
            Shopping.wishes(submit.task())));
    draft.event(
        "run.submitted", run, submit.user(), Map.of("name", run.name(), "type", run.type()));
    return new Reply.Accepted(run.id(), run.name());
  }

  static Reply stop(Draft draft, Message.Stop stop, Instant now) {
    Run run = draft.activeRun(stop.project(), stop.name()).orElse(null);
    if (run == null) {
      return new Reply.Refused(Reply.Code.NOT_FOUND, "no run '" + stop.name() + "' is active");
    }
    RunReason reason = stop.abort() ? RunReason.ABORTED_BY_USER : RunReason.STOPPED_BY_USER;
    boolean already = run.status() == RunStatus.TERMINATING;
    if (!already || (stop.abort() && run.reason() != RunReason.ABORTED_BY_USER)) {
      draft.put(run.ending(reason));
      draft.event("run.stop_requested", run, stop.actor(), Map.of("abort", stop.abort()));
      JobReason why = stop.abort() ? JobReason.ABORTED_BY_USER : JobReason.TERMINATED_BY_USER;
      for (Job job : draft.children(Job.class, run.id())) {
        draft
            .children(Attempt.class, job.id())
            .forEach(attempt -> AttemptLife.stop(draft, attempt, why, now));
      }
    }
    return new Reply.Accepted(run.id(), run.name());
  }

  static Reply delete(Draft draft, Message.Delete delete, Instant now) {
    Run run = delete.run();
    if (draft.find(Run.class, run.id()).filter(Run::active).isPresent()) {
      return new Reply.Refused(
          Reply.Code.NOT_FINISHED, "the run '" + run.name() + "' has not ended; stop it first");
    }
    for (Entity belonging : delete.belongings()) {
      if (belonging instanceof Attempt attempt && attempt.backend() != null) {
        draft.put(
            new Action(
                AttemptLife.removal(attempt.id()),
                Action.Type.REMOVE_JOB,
                attempt.id(),
                attempt.backend(),
                null,
                null,
                AttemptLife.isUnderWay(draft, attempt.id())
                    ? Action.State.PENDING
                    : Action.State.IN_FLIGHT,
                1,
                null,
                now.plus(Duration.ofMinutes(10))));
      }
      draft.delete(belonging);
    }
    draft.delete(run);
    draft.event("run.deleted", run, delete.actor(), Map.of("name", run.name()));
    return new Reply.Accepted(run.id(), run.name());
  }

  /** The run's status follows from its jobs. */
  static void follow(Draft draft, String runId, Instant now) {
    Run run = draft.find(Run.class, runId).orElseThrow();
    if (!run.active()) {
      return;
    }
    List<Job> jobs = draft.children(Job.class, runId);
    if (jobs.isEmpty()) {
      finish(draft, run, now);
      return;
    }
    if (run.status() == RunStatus.TERMINATING) {
      return;
    }
    RunStatus next =
        jobs.stream()
            .map(job -> statusOf(job.status()))
            .max(Comparator.naturalOrder())
            .orElseThrow();
    if (next != run.status()) {
      draft.put(run.in(next));
      draft.event(
          "run.status", run, Event.SERVER, Map.of("from", run.status().word(), "to", next.word()));
    }
  }

  private static RunStatus statusOf(JobStatus status) {
    return switch (status) {
      case SUBMITTED -> RunStatus.SUBMITTED;
      case PROVISIONING, PULLING -> RunStatus.PROVISIONING;
      case RUNNING, TERMINATING, DONE, FAILED, TERMINATED, ABORTED -> RunStatus.RUNNING;
    };
  }

  private static void finish(Draft draft, Run run, Instant now) {
    List<Attempt> last = draft.endedAttempts(run.id());
    Attempt failing =
        last.stream()
            .filter(attempt -> attempt.status() != JobStatus.DONE)
            .findFirst()
            .orElse(null);
    RunReason asked = run.reason();
    RunReason reason =
        asked != null ? asked : failing == null ? RunReason.ALL_JOBS_DONE : RunReason.JOB_FAILED;
    Attempt telling = failing == null ? last.getFirst() : failing;
    String message = telling.message();
    if (message == null && failing != null && failing.reason() != null) {
      message = failing.reason().sentence();
    }
    double cost = last.stream().mapToDouble(attempt -> attempt.cost(now)).sum();
    Run ended = run.ended(reason, message, ownExitCode(telling), cost, now);
    draft.put(ended);
    draft.event(
        "run.ended",
        ended,
        Event.SERVER,
        Map.of("status", ended.status().word(), "reason", reason.word()));
  }

  /** The job's own exit code, where it ended by itself. */
  private static @Nullable Integer ownExitCode(Attempt attempt) {
    return attempt.reason() == JobReason.DONE_BY_RUNNER
            || attempt.reason() == JobReason.CONTAINER_EXITED_WITH_ERROR
        ? attempt.exitCode()
        : null;
  }
}
