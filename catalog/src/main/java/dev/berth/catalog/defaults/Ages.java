package dev.berth.catalog.defaults;

import java.time.Duration;
import java.time.Instant;

/** How long ago something was, or how soon it will be, for people. */
final class Ages {
  private Ages() {}

  static String ago(Instant then, Instant now) {
    Duration age = Duration.between(then, now);
    return age.toMinutes() < 1 ? "just now" : text(age) + " ago";
  }

  static String in(Instant then, Instant now) {
    // Never "in 0 minutes", and rounded up, so that whoever waits does not come too early.
    Duration wait = Duration.between(now, then).plusSeconds(59);
    return "in " + text(wait.toMinutes() < 1 ? Duration.ofMinutes(1) : wait);
  }

  private static String text(Duration duration) {
    if (duration.toMinutes() < 60) {
      return count(duration.toMinutes(), "minute");
    }
    return duration.toHours() < 48
        ? count(duration.toHours(), "hour")
        : count(duration.toDays(), "day");
  }

  private static String count(long number, String unit) {
    return number + " " + unit + (number == 1 ? "" : "s");
  }
}
