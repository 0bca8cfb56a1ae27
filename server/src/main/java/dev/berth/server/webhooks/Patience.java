package dev.berth.server.webhooks;

import dev.berth.model.Pauses;
import java.time.Duration;

/**
 * How long a webhook is tried.
 *
 * @param first the pause after the first failure; each one is twice as long as the one before
 * @param longest no pause is longer
 * @param giveUpAfter for how long one event is tried before it is skipped
 * @param answerWithin how long a receiver may take to answer
 */
public record Patience(
    Duration first, Duration longest, Duration giveUpAfter, Duration answerWithin) {
  public static final Patience USUAL =
      new Patience(
          Duration.ofSeconds(1),
          Duration.ofMinutes(5),
          Duration.ofHours(24),
          Duration.ofSeconds(15));

  /** The pause after so many failures in a row, from one on. */
  Duration pause(int failures) {
    return Pauses.after(failures, first, longest);
  }
}
