package dev.berth.model.config;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A duration that a user may also switch off. */
public record TimeLimit(@Nullable Duration duration) {
  /** No limit at all, which is not the same as a limit that was not written. */
  public static final TimeLimit OFF = new TimeLimit(null);

  public TimeLimit {
    if (duration != null && duration.isNegative()) {
      throw new IllegalArgumentException("a time limit is not negative: " + duration);
    }
  }

  public static TimeLimit of(Duration duration) {
    return new TimeLimit(duration);
  }

  public boolean isOff() {
    return duration == null;
  }
}
