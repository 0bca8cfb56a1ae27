package dev.berth.hosts.jobdir;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What is known of an attempt from its job directory, at one moment.
 *
 * @param warnings sentences about what was asked for and could not be done, such as limits
 */
public record Observation(String attemptId, State state, List<String> warnings) {
  public Observation {
    warnings = List.copyOf(warnings);
  }

  /** Where an attempt is in its life. {@link Exited} and {@link Lost} are final. */
  public sealed interface State {}

  /** The directory is there, and the job has not been started, or is just about to. */
  public record Prepared() implements State {}

  /**
   * The job is running.
   *
   * @param pid the job's first process, which also is its session and process group
   */
  public record Running(long pid, Instant startedAt, OutputSizes sizes) implements State {}

  /**
   * The job has ended and none of its processes is left.
   *
   * @param code the job's own exit code, 128+n for signal n; empty when it never ran
   * @param detail a sentence that explains the reason where there is more to say, otherwise empty
   * @param startedAt empty when it never ran
   */
  public record Exited(
      OptionalInt code,
      ExitReason reason,
      String detail,
      Optional<Instant> startedAt,
      Instant endedAt,
      OutputSizes sizes)
      implements State {}

  /**
   * The runner is gone and did not say how the job ended: it was killed, or the machine was
   * restarted. Processes of the job may be left until it is killed or removed.
   */
  public record Lost(String detail, OutputSizes sizes) implements State {}

  /** There is no directory: it was never prepared, or is removed. */
  public record Absent() implements State {}
}
