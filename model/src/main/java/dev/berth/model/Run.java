package dev.berth.model;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One submission of a configuration. */
public record Run(
    String id,
    String project,
    String user,
    String name,
    String type,
    Map<String, @Nullable Object> configuration,
    RunStatus status,
    @Nullable RunReason reason,
    @Nullable String message,
    @Nullable Integer exitCode,
    @Nullable String backend,
    @Nullable Double price,
    double cost,
    Instant submittedAt,
    @Nullable Instant finishedAt)
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

  public Run in(RunStatus next) {
    return with(next, reason, message, exitCode, cost, finishedAt);
  }

  /** The run with the backend and the price of its newest attempt, in dollars an hour. */
  public Run placedOn(String newBackend, double pricePerHour) {
    return new Run(
        id,
        project,
        user,
        name,
        type,
        configuration,
        status,
        reason,
        message,
        exitCode,
        newBackend,
        pricePerHour,
        cost,
        submittedAt,
        finishedAt);
  }

  /** The run on its way to its end. */
  public Run ending(RunReason why) {
    return with(RunStatus.TERMINATING, why, message, exitCode, cost, finishedAt);
  }

  /** The run at its end, for the reason that is set or the one given. */
  public Run ended(
      RunReason why, @Nullable String sentence, @Nullable Integer code, double spent, Instant at) {
    return with(why.end(), why, sentence, code, spent, at);
  }

  private Run with(
      RunStatus newStatus,
      @Nullable RunReason newReason,
      @Nullable String newMessage,
      @Nullable Integer newExitCode,
      double newCost,
      @Nullable Instant newFinishedAt) {
    return new Run(
        id,
        project,
        user,
        name,
        type,
        configuration,
        newStatus,
        newReason,
        newMessage,
        newExitCode,
        backend,
        price,
        newCost,
        submittedAt,
        newFinishedAt);
  }
}
