package dev.berth.decisions;

import dev.berth.model.Action;
import dev.berth.model.Attempt;
import dev.berth.model.Entity;
import dev.berth.model.Fleet;
import dev.berth.model.Instance;
import dev.berth.model.Job;
import dev.berth.model.JobReason;
import dev.berth.model.JobStatus;
import dev.berth.model.Operation;
import dev.berth.model.Placement;
import dev.berth.model.Run;
import dev.berth.model.RunPolicy;
import dev.berth.model.RunReason;
import dev.berth.model.RunStatus;
import dev.berth.model.Work;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** From the submission to the end of a run. */
final class RunLife {
  private RunLife() {}

  static Reply submit(Draft draft, Message.Submit submit, Instant now) {
    if (AccessRules.isDeleted(draft, submit.project())) {
      return AccessRules.noProject(submit.project());
    }
    if (draft.activeRun(submit.project(), submit.name()).isPresent()) {
      return new Reply.Refused(
          Reply.Code.NAME_TAKEN,
          ("the run '%1$s' is active; follow it with: berth attach %1$s, stop it first, or choose"
                  + " another name")
              .formatted(submit.name()));
    }
    Reply.Refused full = refusalOfMore(draft, submit);
    if (full != null) {
      return full;
    }
    List<String> after = submit.after().stream().filter(id -> isUnderWay(draft, id)).toList();
    RunPolicy policy = submit.spec().policy().waitingFor(after);
    Optional<Instant> trigger =
        policy.isScheduled() ? Cron.next(policy.cron(), now) : Optional.empty();
    if (policy.isScheduled() && trigger.isEmpty()) {
      return new Reply.Refused(
          Reply.Code.NOT_SUPPORTED, "the schedule " + policy.cron() + " never comes due");
    }
    boolean waits = policy.isScheduled() || !after.isEmpty();
    Run run =
        new Run(
            submit.runId(),
            submit.project(),
            submit.user(),
            submit.name(),
            submit.spec().type(),
            submit.written(),
            policy,
            waits ? RunStatus.PENDING : RunStatus.SUBMITTED,
            null,
            null,
            null,
            null,
            null,
            0,
            now,
            null,
            waits ? 0 : 1,
            null,
            after.isEmpty() ? trigger.orElse(null) : null,
            new Work(
                RunVariables.ofRun(submit.spec(), submit.runId(), submit.name()),
                submit.spec().replicas(),
                0));
    draft.put(run);
    if (!waits) {
      Replicas.make(draft, run, now);
    }
    draft.event("run.submitted", run, submit.user(), told(run, submit.traceparent()));
    PolicyNotes.tell(draft, run, submit.user(), submit.dryRuns());
    return new Reply.Accepted(run.id(), run.name());
  }

  /** Refuses one more run where as many as may be are active; null where there is room. */
  private static Reply.@Nullable Refused refusalOfMore(Draft draft, Message.Submit submit) {
    RunLimits limits = submit.limits();
    if (draft.activeRunsOf(submit.user()) >= limits.perUser()) {
      return tooMany("the user", submit.user(), limits.perUser(), "runs-per-user");
    }
    return draft.activeRunsIn(submit.project()) >= limits.perProject()
        ? tooMany("the project", submit.project(), limits.perProject(), "runs-per-project")
        : null;
  }

  private static Reply.Refused tooMany(String whose, String name, int limit, String field) {
    return new Reply.Refused(
        Reply.Code.TOO_MANY,
        "%s '%s' has %,d active runs, which is the limit; wait until some have ended, or ask an admin to raise limits.%s in server.yml"
            .formatted(whose, name, limit, field));
  }

  private static Map<String, Object> told(Run run, @Nullable String traceparent) {
    Map<String, Object> data = new LinkedHashMap<>(Map.of("name", run.name(), "type", run.type()));
    if (traceparent != null) {
      data.put("traceparent", traceparent);
    }
    return data;
  }

  private static boolean isUnderWay(Draft draft, String runId) {
    return draft.find(Run.class, runId).filter(Run::active).isPresent();
  }

  /** The time of a schedule has come, or what was waited for has succeeded. */
  static void begin(Draft draft, Run run, Instant now) {
    if (run.status() != RunStatus.PENDING || !run.policy().after().isEmpty()) {
      return;
    }
    Work work = run.work();
    if (work == null || (work.isAllMade() && !run.policy().isScheduled())) {
      return;
    }
    Instant due = run.due();
    if (due != null && due.isAfter(now)) {
      return;
    }
    Run executing =
        run.executing(run.policy().isScheduled() ? due : null, run.executions() + 1)
            .with(work.withMade(0));
    draft.put(executing);
    draft.event(
        "run.triggered",
        executing,
        Event.SERVER,
        due == null ? Map.of() : Map.of("time", due.toString()));
    Replicas.make(draft, executing, now);
  }

  static Reply stop(Draft draft, Message.Stop stop, Instant now) {
    Run run = draft.activeRun(stop.project(), stop.name()).orElse(null);
    if (run == null) {
      return new Reply.Refused(Reply.Code.NOT_FOUND, "no run '" + stop.name() + "' is active");
    }
    RunReason reason = stop.abort() ? RunReason.ABORTED_BY_USER : RunReason.STOPPED_BY_USER;
    boolean stopping =
        run.status() == RunStatus.TERMINATING
            && (run.reason() == RunReason.STOPPED_BY_USER
                || run.reason() == RunReason.ABORTED_BY_USER);
    if (!stopping || (stop.abort() && run.reason() != RunReason.ABORTED_BY_USER)) {
      draft.put(run.ending(reason).saying(null).with((Work) null));
      draft.event("run.stop_requested", run, stop.actor(), Map.of("abort", stop.abort()));
      JobReason why = stop.abort() ? JobReason.ABORTED_BY_USER : JobReason.TERMINATED_BY_USER;
      stopJobs(draft, run.id(), why, now);
      follow(draft, run.id(), now);
    }
    return new Reply.Accepted(run.id(), run.name());
  }

  /** Brings all that is under way for a run to its end. */
  static void stopJobs(Draft draft, String runId, JobReason why, Instant now) {
    for (Job job : draft.children(Job.class, runId)) {
      List<Attempt> attempts = draft.children(Attempt.class, job.id());
      attempts.forEach(attempt -> AttemptLife.stop(draft, attempt, why, now));
    }
  }

  static Reply delete(Draft draft, Message.Delete delete, Instant now) {
    Run run = delete.run();
    if (draft.find(Run.class, run.id()).filter(Run::active).isPresent()) {
      return new Reply.Refused(
          Reply.Code.NOT_FINISHED, "the run '" + run.name() + "' has not ended; stop it first");
    }
    for (Entity belonging : delete.belongings()) {
      if (belonging instanceof Attempt attempt && attempt.backend() != null) {
        draft.put(removal(draft, attempt, now));
      }
      draft.delete(belonging);
    }
    draft.delete(run);
    draft.event("run.deleted", run, delete.actor(), Map.of("name", run.name()));
    return new Reply.Accepted(run.id(), run.name());
  }

  private static Action removal(Draft draft, Attempt attempt, Instant now) {
    boolean wait = ActionReports.isUnderWay(draft, attempt.id());
    return new Action(
        ActionReports.removal(attempt.id()),
        new Operation.RemoveJob(),
        attempt.id(),
        Objects.requireNonNull(attempt.backend()),
        wait ? Action.State.PENDING : Action.State.IN_FLIGHT,
        1,
        null,
        now.plus(Duration.ofMinutes(10)),
        machineOf(draft, attempt));
  }

  /** The machine that still has what a job of Berth's own left there; null for other jobs. */
  private static @Nullable String machineOf(Draft draft, Attempt attempt) {
    String id = attempt.instanceId();
    return id == null
        ? null
        : draft
            .find(Instance.class, id)
            .filter(Instance::isEquippedByUs)
            .map(Instance::id)
            .orElse(null);
  }

  /** A user gives a run another place in the line. */
  static Reply prioritise(Draft draft, Message.Prioritise message) {
    Run run = draft.activeRun(message.project(), message.name()).orElse(null);
    if (run == null) {
      return new Reply.Refused(Reply.Code.NOT_FOUND, "no run '" + message.name() + "' is active");
    }
    draft.put(run.with(run.policy().withPriority(message.priority())));
    draft
        .children(Placement.class, run.id())
        .forEach(placement -> draft.put(placement.withPriority(message.priority())));
    draft.event("run.priority", run, message.actor(), Map.of("priority", message.priority()));
    return new Reply.Accepted(run.id(), run.name());
  }

  /** Somebody is about to run a command inside of a job: first it is written down who. */
  static Reply execute(Draft draft, Message.Execute message) {
    Run run = draft.find(Run.class, message.runId()).filter(Run::active).orElse(null);
    if (run == null) {
      return new Reply.Refused(Reply.Code.NOT_FOUND, "the run has ended");
    }
    draft.event(
        "run.exec",
        run,
        message.actor(),
        Map.of("node", message.node(), "command", message.command()));
    return new Reply.Accepted(run.id(), run.name());
  }

  /** The run's status follows from its jobs. */
  static void follow(Draft draft, String runId, Instant now) {
    Run run = draft.find(Run.class, runId).orElseThrow();
    if (!run.active()) {
      return;
    }
    if (run.status() != RunStatus.TERMINATING && run.executions() > 0) {
      run = Replicas.make(draft, run, now);
    }
    List<Job> jobs = draft.children(Job.class, runId);
    if (jobs.isEmpty()) {
      if (run.executions() > 0 || run.status() == RunStatus.TERMINATING) {
        finish(draft, run, now);
      }
      return;
    }
    if (run.status() == RunStatus.TERMINATING) {
      return;
    }
    RunStatus next = status(draft, runId, jobs);
    if (next != run.status()) {
      Run moved = run.in(next);
      draft.put(next == RunStatus.RUNNING ? moved.saying(null) : moved);
      draft.event(
          "run.status", run, Event.SERVER, Map.of("from", run.status().word(), "to", next.word()));
    }
  }

  private static RunStatus status(Draft draft, String runId, List<Job> jobs) {
    RunStatus furthest =
        jobs.stream()
            .map(job -> statusOf(job.status()))
            .max(Comparator.naturalOrder())
            .orElseThrow();
    boolean allWait =
        furthest == RunStatus.SUBMITTED
            && draft.children(Placement.class, runId).stream()
                .allMatch(
                    placement ->
                        placement.phase() == Placement.State.RESERVING
                            && placement.notBefore() != null);
    return allWait ? RunStatus.PENDING : furthest;
  }

  private static RunStatus statusOf(JobStatus status) {
    return switch (status) {
      case SUBMITTED -> RunStatus.SUBMITTED;
      case PROVISIONING, PULLING -> RunStatus.PROVISIONING;
      case RUNNING, TERMINATING, DONE, FAILED, TERMINATED, ABORTED -> RunStatus.RUNNING;
    };
  }

  private static void finish(Draft draft, Run run, Instant now) {
    RunReason asked = run.reason();
    RunReason reason = asked == null ? RunReason.ALL_JOBS_DONE : asked;
    boolean asksForMore =
        run.policy().isScheduled()
            && reason != RunReason.STOPPED_BY_USER
            && reason != RunReason.ABORTED_BY_USER
            && reason != RunReason.DEPENDENCY_FAILED;
    Optional<Instant> trigger =
        asksForMore ? Cron.next(run.policy().cron(), afterTrigger(run, now)) : Optional.empty();
    if (trigger.isPresent()) {
      draft.put(run.waiting(trigger.get(), lastTime(run, reason)));
      draft.event(
          "run.execution_ended",
          run,
          Event.SERVER,
          Map.of(
              "reason",
              reason.word(),
              "execution",
              run.executions(),
              "next",
              trigger.get().toString()));
      return;
    }
    // What a try was retried for does not matter any more.
    String message = reason == RunReason.ALL_JOBS_DONE ? null : run.message();
    Run ended = run.ended(reason, message, run.exitCode(), now);
    draft.put(ended);
    FleetLife.close(draft, Fleet.temporaryId(run.id()));
    draft.event(
        "run.ended",
        ended,
        Event.SERVER,
        Map.of("status", ended.status().word(), "reason", reason.word()));
    for (Run waiting : draft.waitingFor(run.id())) {
      // The end of one that waits may have ended another one, which waits for both.
      draft
          .find(Run.class, waiting.id())
          .filter(Run::active)
          .ifPresent(current -> resolve(draft, current, ended, now));
    }
  }

  /**
   * The end of an execution has the provider's time, which may be before its beginning where that
   * clock is behind; a time of the schedule that was used is not used again.
   */
  private static Instant afterTrigger(Run run, Instant end) {
    Instant trigger = run.trigger();
    return trigger == null || trigger.isBefore(end) ? end : trigger;
  }

  private static String lastTime(Run run, RunReason reason) {
    String message = reason == RunReason.ALL_JOBS_DONE ? null : run.message();
    return "last time: " + (message == null ? reason.sentence() : message);
  }

  /** A run that another one waits for has ended. */
  private static void resolve(Draft draft, Run waiting, Run ended, Instant now) {
    if (ended.status() == RunStatus.DONE) {
      Run freed = waiting.with(waiting.policy().without(ended.id()));
      if (freed.policy().after().isEmpty() && freed.policy().isScheduled()) {
        Instant trigger = Cron.next(freed.policy().cron(), now).orElseThrow();
        draft.put(freed.waiting(trigger, null));
        return;
      }
      draft.put(freed);
      begin(draft, freed, now);
      return;
    }
    String message = "the run '" + ended.name() + "' that it depends on " + endOf(ended);
    Run failed = waiting.ending(RunReason.DEPENDENCY_FAILED).saying(message).with((Work) null);
    draft.put(failed);
    finish(draft, failed, now);
  }

  private static String endOf(Run ended) {
    return ended.status() == RunStatus.FAILED ? "failed" : "was stopped";
  }

  /** Writes down what a run ends with, unless something else ends it already. */
  static void blame(
      Draft draft,
      String runId,
      RunReason reason,
      @Nullable String message,
      @Nullable Integer code) {
    Run run = draft.find(Run.class, runId).orElseThrow();
    if (run.active() && run.reason() == null) {
      draft.put(run.because(reason, message, code));
    }
  }
}
