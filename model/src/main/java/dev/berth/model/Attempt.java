package dev.berth.model;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One execution of a job on a place. */
public record Attempt(
    String id,
    String project,
    String runId,
    String jobId,
    int number,
    String placementId,
    JobStatus status,
    @Nullable JobReason reason,
    @Nullable String message,
    @Nullable Integer exitCode,
    @Nullable String instanceId,
    @Nullable String backend,
    double price,
    Instant submittedAt,
    @Nullable Instant startedAt,
    @Nullable Instant finishedAt)
    implements Entity {
  @Override
  public Kind kind() {
    return Kind.ATTEMPT;
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
  public String parent() {
    return jobId;
  }

  public Attempt placedOn(Instance instance, double pricePerHour) {
    return placed(instance.id(), instance.backend(), pricePerHour);
  }

  /** On an offer, which is bought with the attempt. */
  public Attempt placedAt(String atBackend, double pricePerHour) {
    return placed(null, atBackend, pricePerHour);
  }

  private Attempt placed(@Nullable String onInstance, String atBackend, double pricePerHour) {
    return new Attempt(
        id,
        project,
        runId,
        jobId,
        number,
        placementId,
        JobStatus.PROVISIONING,
        reason,
        message,
        exitCode,
        onInstance,
        atBackend,
        pricePerHour,
        submittedAt,
        startedAt,
        finishedAt);
  }

  public Attempt running(Instant since) {
    // What it waited for does not matter any more.
    return with(JobStatus.RUNNING, reason, null, exitCode, since, finishedAt);
  }

  /** The next execution of the same job, which has no place yet. */
  public Attempt another(Instant at) {
    return new Attempt(
        jobId + "-" + (number + 1),
        project,
        runId,
        jobId,
        number + 1,
        placementId,
        JobStatus.SUBMITTED,
        null,
        null,
        null,
        null,
        null,
        0,
        at,
        null,
        null);
  }

  public Attempt because(String sentence) {
    return with(status, reason, sentence, exitCode, startedAt, finishedAt);
  }

  /** On its way to its end, for this reason. */
  public Attempt ending(JobReason why) {
    return with(JobStatus.TERMINATING, why, message, exitCode, startedAt, finishedAt);
  }

  public Attempt ended(
      JobReason why, @Nullable String sentence, @Nullable Integer code, Instant at) {
    return with(why.end(), why, sentence, code, startedAt, at);
  }

  private Attempt with(
      JobStatus newStatus,
      @Nullable JobReason newReason,
      @Nullable String newMessage,
      @Nullable Integer newExitCode,
      @Nullable Instant newStartedAt,
      @Nullable Instant newFinishedAt) {
    return new Attempt(
        id,
        project,
        runId,
        jobId,
        number,
        placementId,
        newStatus,
        newReason,
        newMessage,
        newExitCode,
        instanceId,
        backend,
        price,
        submittedAt,
        newStartedAt,
        newFinishedAt);
  }

  /** What the attempt cost so far: the time from its start, at its price. */
  public double cost(Instant now) {
    Instant from = startedAt;
    if (from == null) {
      return 0;
    }
    Instant to = finishedAt == null ? now : finishedAt;
    return Math.max(0, Duration.between(from, to).toMillis()) / 3_600_000.0 * price;
  }
}
