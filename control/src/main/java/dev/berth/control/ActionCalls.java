package dev.berth.control;

import dev.berth.model.Action;
import dev.berth.model.ActionOutcome;
import dev.berth.spi.BackendException;
import dev.berth.spi.Compute;
import dev.berth.spi.JobRuntime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;

/** Makes the call to a backend that an action stands for, and says how it went. */
final class ActionCalls {
  private static final System.Logger LOG = System.getLogger(ActionCalls.class.getName());

  private final Map<String, Compute> backends;
  private final InstantSource clock;
  private final FailPoint.Observer failPoints;

  /**
   * Calls whoever is there when it is called.
   *
   * @param backends may change while this is used
   */
  ActionCalls(Map<String, Compute> backends, InstantSource clock, FailPoint.Observer failPoints) {
    this.backends = backends;
    this.clock = clock;
    this.failPoints = failPoints;
  }

  ActionOutcome call(Action action) {
    Compute backend = backends.get(action.backend());
    JobRuntime runtime = backend == null ? null : backend.runtime().orElse(null);
    if (runtime == null) {
      return new ActionOutcome.Parked(
          "waits for the backend '" + action.backend() + "', which is not there; add it again");
    }
    failPoints.reached(FailPoint.BEFORE_ACTION);
    try {
      ActionOutcome outcome = new ActionOutcome.Done(call(action, runtime));
      failPoints.reached(FailPoint.AFTER_ACTION);
      return outcome;
    } catch (BackendException e) {
      LOG.log(System.Logger.Level.WARNING, action.id() + " failed: " + e.getMessage());
      return new ActionOutcome.Failed(String.valueOf(e.getMessage()), e.isRetryable());
    } catch (RuntimeException | Error e) {
      LOG.log(
          System.Logger.Level.ERROR,
          action.id() + " failed in a way that its backend did not foresee",
          e);
      return new ActionOutcome.Failed("the backend failed: " + e, true);
    }
  }

  private Instant call(Action action, JobRuntime runtime) {
    return switch (action.type()) {
      case START_JOB -> runtime.start(Objects.requireNonNull(action.job(), "a start has a job"));
      case STOP_JOB -> {
        runtime.stop(action.attemptId(), Objects.requireNonNullElse(action.grace(), Duration.ZERO));
        yield clock.instant();
      }
      case KILL_JOB -> {
        runtime.kill(action.attemptId());
        yield clock.instant();
      }
      case REMOVE_JOB -> {
        runtime.remove(action.attemptId());
        yield clock.instant();
      }
    };
  }
}
