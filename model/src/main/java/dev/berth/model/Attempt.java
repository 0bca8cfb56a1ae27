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
        instance.id(),
        instance.backend(),
        pricePerHour,
        submittedAt,
        startedAt,
        finishedAt);
  }

  public Attempt running(Instant since) {
    return new Attempt(
        id,
        project,
        runId,
        jobId,
        number,
        placementId,
        JobStatus.RUNNING,
        reason,
        message,
        exitCode,
        instanceId,
        backend,
        price,
        submittedAt,
        since,
        finishedAt);
  }

  public Attempt because(String sentence) {
    return new Attempt(
        id,
        project,
        runId,
        jobId,
        number,
        placementId,
        status,
        reason,
        sentence,
        exitCode,
        instanceId,
        backend,
        price,
        submittedAt,
        startedAt,
        finishedAt);
  }

  /** On its way to its end, for this reason. */
  public Attempt ending(JobReason why) {
    return new Attempt(
        id,
        project,
        runId,
        jobId,
        number,
        placementId,
        JobStatus.TERMINATING,
        why,
        message,
        exitCode,
        instanceId,
        backend,
        price,
        submittedAt,
        startedAt,
        finishedAt);
  }

  public Attempt ended(
      JobReason why, @Nullable String sentence, @Nullable Integer code, Instant at) {
    return new Attempt(
        id,
        project,
        runId,
        jobId,
        number,
        placementId,
        why.end(),
        why,
        sentence,
        code,
        instanceId,
        backend,
        price,
        submittedAt,
        startedAt,
        at);
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
