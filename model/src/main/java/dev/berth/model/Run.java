package dev.berth.model;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One submission of a configuration.
 *
 * @param executions how often its jobs were made; more than once only on a schedule
 * @param trigger the nominal time of the execution under way, on a schedule
 * @param due when its schedule starts it
 * @param work what is not made into jobs yet, or is made again and again on a schedule; null when
 *     all of it is made
 */
public record Run(
    String id,
    String project,
    String user,
    String name,
    String type,
    Map<String, @Nullable Object> configuration,
    RunPolicy policy,
    RunStatus status,
    @Nullable RunReason reason,
    @Nullable String message,
    @Nullable Integer exitCode,
    @Nullable String backend,
    @Nullable Double price,
    double cost,
    Instant submittedAt,
    @Nullable Instant finishedAt,
    int executions,
    @Nullable Instant trigger,
    @Nullable Instant due,
    @Nullable Work work)
    implements Entity {
  @Override
  public Kind kind() {
    return Kind.RUN;
  }

  @Override
  public String state() {
    return status.word();
  }

  @Override
  public boolean active() {
    return !status.finished();
  }

  @Override
  public String uniqueName() {
    return name;
  }

  /** What the ids of the jobs of the execution under way begin with. */
  public String executionId() {
    return executionId(id, executions);
  }

  /** The same, of an execution by its number from 1 on. */
  public static String executionId(String runId, int execution) {
    return execution > 1 ? runId + "-t" + execution : runId;
  }

  /** The execution that an attempt belongs to, by the attempt's id. */
  public static String executionOf(String attemptId) {
    String rest = attemptId;
    // Replica, rank and number.
    for (int part = 0; part < 3; part++) {
      int dash = rest.lastIndexOf('-');
      rest = dash < 0 ? rest : rest.substring(0, dash);
    }
    return rest;
  }

  /** The run that an execution belongs to. */
  public static String idOf(String executionId) {
    int dash = executionId.lastIndexOf("-t");
    return dash < 0 ? executionId : executionId.substring(0, dash);
  }

  public Run in(RunStatus next) {
    return change().status(next).make();
  }

  /** The run with the backend and the price of its newest attempt, in dollars an hour. */
  public Run placedOn(String newBackend, double pricePerHour) {
    return change().place(newBackend, pricePerHour).make();
  }

  /** With what an attempt cost that has ended. */
  public Run charged(double dollars) {
    return change().cost(cost + dollars).make();
  }

  /** The run on its way to its end. */
  public Run ending(RunReason why) {
    return change().status(RunStatus.TERMINATING).telling(why, message, exitCode).make();
  }

  /** With the reason of its end, before the end. */
  public Run because(@Nullable RunReason why, @Nullable String sentence, @Nullable Integer code) {
    return change().telling(why, sentence, code).make();
  }

  /** With a sentence about what it waits for; null for none. */
  public Run saying(@Nullable String sentence) {
    return change().telling(reason, sentence, exitCode).make();
  }

  /** The run at its end, for the reason given. */
  public Run ended(RunReason why, @Nullable String sentence, @Nullable Integer code, Instant at) {
    return change().status(why.end()).telling(why, sentence, code).finishedAt(at).make();
  }

  /** Waiting for the next time of its schedule. */
  public Run waiting(Instant until, @Nullable String sentence) {
    return change().status(RunStatus.PENDING).telling(null, sentence, exitCode).due(until).make();
  }

  /** With the jobs of another execution under way. */
  public Run executing(@Nullable Instant nominal, int number) {
    return change()
        .status(RunStatus.SUBMITTED)
        .telling(null, null, null)
        .due(null)
        .execution(nominal, number)
        .make();
  }

  public Run with(@Nullable Work newWork) {
    return change().work(newWork).make();
  }

  public Run with(RunPolicy newPolicy) {
    return change().policy(newPolicy).make();
  }

  private Change change() {
    return new Change(this);
  }

  /** What of a run is about to be different. */
  private static final class Change {
    private final Run run;
    private RunPolicy policy;
    private RunStatus status;
    private @Nullable RunReason reason;
    private @Nullable String message;
    private @Nullable Integer exitCode;
    private @Nullable String backend;
    private @Nullable Double price;
    private double cost;
    private @Nullable Instant finishedAt;
    private int executions;
    private @Nullable Instant trigger;
    private @Nullable Instant due;
    private @Nullable Work work;

    private Change(Run run) {
      this.run = run;
      this.policy = run.policy;
      this.status = run.status;
      this.reason = run.reason;
      this.message = run.message;
      this.exitCode = run.exitCode;
      this.backend = run.backend;
      this.price = run.price;
      this.cost = run.cost;
      this.finishedAt = run.finishedAt;
      this.executions = run.executions;
      this.trigger = run.trigger;
      this.due = run.due;
      this.work = run.work;
    }

    private Change policy(RunPolicy newPolicy) {
      policy = newPolicy;
      return this;
    }

    private Change status(RunStatus newStatus) {
      status = newStatus;
      return this;
    }

    private Change telling(
        @Nullable RunReason why, @Nullable String sentence, @Nullable Integer code) {
      reason = why;
      message = sentence;
      exitCode = code;
      return this;
    }

    private Change place(String newBackend, double pricePerHour) {
      backend = newBackend;
      price = pricePerHour;
      return this;
    }

    private Change cost(double dollars) {
      cost = dollars;
      return this;
    }

    private Change finishedAt(Instant at) {
      finishedAt = at;
      due = null;
      work = null;
      return this;
    }

    private Change execution(@Nullable Instant nominal, int number) {
      trigger = nominal;
      executions = number;
      return this;
    }

    private Change due(@Nullable Instant at) {
      due = at;
      return this;
    }

    private Change work(@Nullable Work newWork) {
      work = newWork;
      return this;
    }

    private Run make() {
      return new Run(
          run.id,
          run.project,
          run.user,
          run.name,
          run.type,
          run.configuration,
          policy,
          status,
          reason,
          message,
          exitCode,
          backend,
          price,
          cost,
          run.submittedAt,
          finishedAt,
          executions,
          trigger,
          due,
          work);
    }
  }
}
