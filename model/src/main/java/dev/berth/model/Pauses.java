package dev.berth.model;

import java.time.Duration;

/** Pauses between tries: each is twice as long as the one before, up to a longest. */
public final class Pauses {
  private Pauses() {}

  /** The pause that comes after another. */
  public static Duration next(Duration pause, Duration longest) {
    Duration twice = pause.multipliedBy(2);
    return twice.compareTo(longest) < 0 ? twice : longest;
  }

  /** The pause after so many tries that failed in a row, from one on. */
  public static Duration after(int failures, Duration first, Duration longest) {
    Duration pause = first.compareTo(longest) < 0 ? first : longest;
    for (int i = 1; i < failures && pause.compareTo(longest) < 0; i++) {
      pause = next(pause, longest);
    }
    return pause;
  }
}
