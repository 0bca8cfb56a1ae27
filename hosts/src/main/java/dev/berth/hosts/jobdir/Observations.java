package dev.berth.hosts.jobdir;

import dev.berth.model.JobObservation;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Says in the words of the contract how a job is. */
public final class Observations {
  private Observations() {}

  public static JobObservation of(Observation.State state) {
    return of(state, List.of());
  }

  /** The same of a job that does without something. */
  public static JobObservation of(Observation.State state, List<String> warnings) {
    return switch (state) {
      case Observation.Prepared _ -> new JobObservation.Prepared();
      case Observation.Running running -> new JobObservation.Running(running.startedAt(), warnings);
      case Observation.Exited exited ->
          new JobObservation.Exited(
              code(exited),
              cause(exited.reason()),
              exited.detail(),
              exited.startedAt().orElse(null),
              exited.endedAt(),
              warnings);
      case Observation.Lost lost -> new JobObservation.Lost(lost.detail());
      case Observation.Absent _ -> new JobObservation.Absent();
    };
  }

  /** One word for a person. */
  public static String word(Observation.State state) {
    return state.getClass().getSimpleName().toLowerCase(Locale.ROOT);
  }

  private static @Nullable Integer code(Observation.Exited exited) {
    return exited.code().isPresent() ? exited.code().getAsInt() : null;
  }

  private static JobObservation.Cause cause(ExitReason reason) {
    return switch (reason) {
      case EXITED -> JobObservation.Cause.EXITED;
      case MAX_DURATION_EXCEEDED -> JobObservation.Cause.MAX_DURATION_EXCEEDED;
      case STOPPED -> JobObservation.Cause.STOPPED;
      case KILLED -> JobObservation.Cause.KILLED;
      case OUT_OF_MEMORY -> JobObservation.Cause.OUT_OF_MEMORY;
      case START_FAILED -> JobObservation.Cause.START_FAILED;
    };
  }
}
