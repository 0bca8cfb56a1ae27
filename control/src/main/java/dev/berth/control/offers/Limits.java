package dev.berth.control.offers;

import java.time.Duration;

/**
 * How long things may take, and how much is kept.
 *
 * @param fresh how long an answer is given again without asking
 * @param soon how long people wait for one backend where others have answered
 * @param deadline how long anybody waits for one backend
 * @param giveUp when a question without an answer is ended and may be asked again
 * @param keep how long answers are kept that nobody asks for
 * @param first how many offers of a catalog are looked at first
 * @param most how many are ever looked at for one requirement
 * @param atOnce how many questions a backend gets at the same time
 * @param remembered for how many requirements answers are kept; those go first that nobody asked
 *     for longest
 */
public record Limits(
    Duration fresh,
    Duration soon,
    Duration deadline,
    Duration giveUp,
    Duration keep,
    int first,
    int most,
    int atOnce,
    int remembered) {
  public static final Limits USUAL =
      new Limits(
          Duration.ofSeconds(5),
          Duration.ofSeconds(1),
          Duration.ofSeconds(5),
          Duration.ofMinutes(1),
          Duration.ofMinutes(5),
          500,
          10_000,
          8,
          1_000);
}
