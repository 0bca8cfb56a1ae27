package dev.berth.cli;

import dev.berth.model.api.AttemptView;
import dev.berth.model.api.RunDetail;
import dev.berth.model.api.RunView;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Says when a run is tried again, and why. */
final class NextAttempt {
  private NextAttempt() {}

  /** Such as "attempt 2 in 30 s: the commands ended with exit code 3", of a run that waits. */
  static Optional<String> of(RunView run, Instant now) {
    return run.attempt() == null || run.attempt() < 2 || run.nextAt() == null
        ? Optional.empty()
        : Optional.of(sentence("attempt " + run.attempt(), run, run.message(), now));
  }

  /**
   * Such as "attempt 2 of train in 30 s: the commands ended with exit code 3", where an attempt
   * begins.
   *
   * @param node whose attempts are followed
   */
  static String of(RunDetail detail, int node, int number, Instant now) {
    String why =
        detail.attempts().stream()
            .filter(attempt -> attempt.rank() == node && attempt.number() == number - 1)
            .findFirst()
            .map(AttemptView::message)
            .orElse(detail.run().message());
    return sentence("attempt " + number + " of " + detail.run().name(), detail.run(), why, now);
  }

  private static String sentence(String attempt, RunView run, @Nullable String why, Instant now) {
    long seconds =
        run.nextAt() == null
            ? 0
            : Math.ceilDiv(Duration.between(now, run.nextAt()).toMillis(), 1000);
    return attempt + (seconds > 0 ? " in " + span(seconds) : "") + (why == null ? "" : ": " + why);
  }

  private static String span(long seconds) {
    return seconds < 120
        ? seconds + " s"
        : seconds < 7200 ? Math.ceilDiv(seconds, 60) + " min" : Math.ceilDiv(seconds, 3600) + " h";
  }
}
