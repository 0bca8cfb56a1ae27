package dev.berth.cli;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

/** When something was or will be, for people. */
final class Ago {
  private Ago() {}

  /** The day, in UTC. */
  static String day(Instant time) {
    return time.atOffset(ZoneOffset.UTC).toLocalDate().toString();
  }

  /** The day and time, in UTC and without seconds. */
  static String date(Instant time) {
    return time.truncatedTo(ChronoUnit.MINUTES).toString().replace('T', ' ').replace(":00Z", "Z");
  }

  /** The day and time to the second, in UTC. */
  static String time(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString().replace('T', ' ');
  }

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
