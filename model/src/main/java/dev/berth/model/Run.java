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
    return new Run(
        id,
        project,
        user,
        name,
        type,
        configuration,
        next,
        reason,
        message,
        exitCode,
        cost,
        submittedAt,
        finishedAt);
  }

  /** The run on its way to its end. */
  public Run ending(RunReason why) {
    return new Run(
        id,
        project,
        user,
        name,
        type,
        configuration,
        RunStatus.TERMINATING,
        why,
        message,
        exitCode,
        cost,
        submittedAt,
        finishedAt);
  }

  /** The run at its end, for the reason that is set or the one given. */
  public Run ended(
      RunReason why, @Nullable String sentence, @Nullable Integer code, double spent, Instant at) {
    return new Run(
        id,
        project,
        user,
        name,
        type,
        configuration,
        why.end(),
        why,
        sentence,
        code,
        spent,
        submittedAt,
        at);
  }
}
