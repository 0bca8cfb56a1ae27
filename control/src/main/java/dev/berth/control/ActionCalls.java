package dev.berth.control;

import dev.berth.model.Action;
import dev.berth.model.ActionOutcome;
import dev.berth.model.JobObservation;
import dev.berth.spi.BackendException;
import dev.berth.spi.Compute;
import dev.berth.spi.Identity;
import dev.berth.spi.JobRuntime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

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
    if (backend == null || runtime == null) {
      return new ActionOutcome.Parked(
          "waits for the backend '" + action.backend() + "', which is not there; add it again");
    }
    failPoints.reached(FailPoint.BEFORE_ACTION);
    try {
      ActionOutcome outcome = new ActionOutcome.Done(call(action, backend.identity(), runtime));
      failPoints.reached(FailPoint.AFTER_ACTION);
      return outcome;
    } catch (BackendException.NoCapacity | BackendException.QuotaExceeded e) {
      LOG.log(System.Logger.Level.INFO, action.id() + " finds no place: " + e.getMessage());
      return new ActionOutcome.Failed(String.valueOf(e.getMessage()), false, true, null);
    } catch (BackendException.RateLimited e) {
      return new ActionOutcome.Failed(String.valueOf(e.getMessage()), true, false, e.delay());
    } catch (BackendException e) {
      LOG.log(System.Logger.Level.WARNING, action.id() + " failed: " + e.getMessage());
      return new ActionOutcome.Failed(
          String.valueOf(e.getMessage()), e.isRetryable(), false, doubt(backend.identity(), e));
    } catch (RuntimeException | Error e) {
      LOG.log(
          System.Logger.Level.ERROR,
          action.id() + " failed in a way that its backend did not foresee",
          e);
      return new ActionOutcome.Failed("the backend failed: " + e, true);
    }
  }

  /** How long nothing may be asked again, because what was asked may still come to light. */
  private static @Nullable Duration doubt(Identity identity, BackendException e) {
    return e.mayHaveHappened() && identity instanceof Identity.Lookup lookup
        ? lookup.callDeadline().plus(lookup.visibleWithin())
        : null;
  }

  private static boolean isThere(String attemptId, JobRuntime runtime) {
    return !(runtime.observe(List.of(attemptId)).getFirst() instanceof JobObservation.Absent);
  }

  private Instant call(Action action, Identity identity, JobRuntime runtime) {
    return switch (action.type()) {
      case START_JOB -> {
        // Also at the first try, which may be one that a server before us made.
        boolean inDoubt = identity instanceof Identity.Lookup;
        yield inDoubt && isThere(action.attemptId(), runtime)
            ? clock.instant()
            : runtime.start(Objects.requireNonNull(action.job(), "a start has a job"));
      }
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
