package dev.berth.model;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One execution of a job on a place.
 *
 * @param warnings a sentence for each thing that was asked for and that it had to do without
 */
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
    @Nullable Instant finishedAt,
    @Nullable Instant unseenSince,
    List<String> warnings)
    implements Entity {
  /** For so long a job may be out of sight before it counts as lost. */
  public static final Duration OUT_OF_SIGHT = Duration.ofMinutes(2);

  public Attempt {
    // What was stored before there were warnings has none.
    warnings = warnings == null ? List.of() : List.copyOf(warnings);
  }

  /** One that does without nothing. */
  public Attempt(
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
      @Nullable Instant finishedAt,
      @Nullable Instant unseenSince) {
    this(
        id,
        project,
        runId,
        jobId,
        number,
        placementId,
        status,
        reason,
        message,
        exitCode,
        instanceId,
        backend,
        price,
        submittedAt,
        startedAt,
        finishedAt,
        unseenSince,
        List.of());
  }

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
  public @Nullable Instant due() {
    return unseenSince == null || status != JobStatus.RUNNING
        ? null
        : unseenSince.plus(OUT_OF_SIGHT);
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
        finishedAt,
        unseenSince,
        warnings);
  }

  /** Out of observation since a time, or in sight. */
  public Attempt unseen(@Nullable Instant since) {
    return new Attempt(
        id,
        project,
        runId,
        jobId,
        number,
        placementId,
        status,
        reason,
        message,
        exitCode,
        instanceId,
        backend,
        price,
        submittedAt,
        startedAt,
        finishedAt,
        since,
        warnings);
  }

  /** It does without one thing more. */
  public Attempt warned(String sentence) {
    List<String> more = new ArrayList<>(warnings);
    more.add(sentence);
    return new Attempt(
        id,
        project,
        runId,
        jobId,
        number,
        placementId,
        status,
        reason,
        message,
        exitCode,
        instanceId,
        backend,
        price,
        submittedAt,
        startedAt,
        finishedAt,
        unseenSince,
        more);
  }

  public Attempt running(Instant since) {
    // What it waited for does not matter any more.
    return with(JobStatus.RUNNING, reason, null, exitCode, since, finishedAt);
  }

  /** An execution of a job that has no place yet. */
  public static Attempt of(Job job, int number, String placementId, Instant at) {
    return new Attempt(
        job.id() + "-" + number,
        job.project(),
        job.runId(),
        job.id(),
        number,
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
        null,
        null);
  }

  /** The number of the attempt that has an id. */
  public static int numberOf(String id) {
    return Integer.parseInt(id.substring(id.lastIndexOf('-') + 1));
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
        newFinishedAt,
        unseenSince,
        warnings);
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
