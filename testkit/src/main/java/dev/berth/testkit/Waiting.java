package dev.berth.testkit;

import dev.berth.spi.BackendException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** How a run waits for what a provider does in its own time. Any thread may wake it. */
final class Waiting {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(5);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);
  private static final int MOST_TRIES = 10;

  private final Subject.Environment environment;
  private final Semaphore wake = new Semaphore(0);

  Waiting(Subject.Environment environment) {
    this.environment = environment;
  }

  /** Ends the pause that is under way, or the next one. */
  void wake() {
    wake.release();
  }

  /**
   * Looks again and again, with growing pauses, until there is an answer. A backend that can tell
   * of changes ends a pause.
   *
   * @param what the sentence that is said when there is no answer in time
   */
  <T> T await(Duration within, String what, Supplier<Optional<T>> look) {
    Instant end = environment.clock().instant().plus(within);
    @Nullable BackendException last = null;
    for (Duration pause = FIRST_PAUSE; ; pause = longer(pause)) {
      try {
        Optional<T> answer = look.get();
        if (answer.isPresent()) {
          return answer.get();
        }
        last = null;
      } catch (BackendException e) {
        if (!e.isRetryable()) {
          throw e;
        }
        last = e;
        if (e instanceof BackendException.RateLimited limited) {
          pause = atLeastFirst(limited.delay());
        }
      }
      if (!environment.clock().instant().isBefore(end)) {
        throw new CheckFailure(
            what
                + " within "
                + words(within)
                + (last == null ? "" : "; it threw " + Expect.words(last)),
            last);
      }
      pause(pause);
    }
  }

  /** Makes a call, and makes it again later when the provider says that it was one too many. */
  <T> T unhurried(Supplier<T> call) {
    for (int left = MOST_TRIES; ; left--) {
      try {
        return call.get();
      } catch (BackendException.RateLimited e) {
        if (left == 0) {
          throw e;
        }
        pause(atLeastFirst(e.delay()));
      }
    }
  }

  static String words(Duration time) {
    return time.toSeconds() % 60 == 0 && time.toSeconds() > 0
        ? time.toMinutes() + " minutes"
        : time.toMillis() / 1000.0 + " seconds";
  }

  private static Duration atLeastFirst(Duration pause) {
    return pause.compareTo(FIRST_PAUSE) < 0 ? FIRST_PAUSE : pause;
  }

  private static Duration longer(Duration pause) {
    Duration longer = pause.multipliedBy(3).dividedBy(2);
    return longer.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : longer;
  }

  /** Waits until something may have changed, and at most so long. */
  void pause(Duration longest) {
    try {
      environment.patience().pause(wake, longest);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CheckFailure("the check took longer than the subject's limit allows", e);
    }
  }
}
