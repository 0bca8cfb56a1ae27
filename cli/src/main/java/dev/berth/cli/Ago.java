package dev.berth.cli;

import java.time.Duration;
import java.time.Instant;

/** How long ago something was, for people. */
final class Ago {
  private Ago() {}

  static String of(Instant then, Instant now) {
    Duration passed = Duration.between(then, now);
    if (passed.toSeconds() < 60) {
      return Math.max(0, passed.toSeconds()) + " s ago";
    }
    if (passed.toMinutes() < 60) {
      return passed.toMinutes() + " min ago";
    }
    return passed.toHours() < 48 ? passed.toHours() + " h ago" : passed.toDays() + " days ago";
  }
}
