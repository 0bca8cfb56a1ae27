package dev.berth.backends.sim;

import dev.berth.spi.Found;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The times of a thing. How it is now follows from them, so nothing has to happen in between. */
record Life(
    Instant createdAt,
    Instant readyAt,
    @Nullable Interruption interruption,
    @Nullable Instant deletedAt,
    @Nullable Instant goneAt) {
  static Life of(Instant createdAt, Instant readyAt, @Nullable Interruption interruption) {
    return new Life(createdAt, readyAt, interruption, null, null);
  }

  /** One that is never ready, and that is not there from a time on. */
  static Life until(Instant createdAt, Instant gone) {
    return new Life(createdAt, gone, null, null, gone);
  }

  Life deleted(Instant at, Instant gone) {
    return new Life(
        createdAt,
        readyAt,
        interruption,
        at,
        goneAt != null && goneAt.isBefore(gone) ? goneAt : gone);
  }

  /** Whether it is there at all. */
  boolean there(Instant now) {
    return !now.isBefore(createdAt) && !over(now);
  }

  /** Whether it was there and is no more. */
  boolean over(Instant now) {
    return passed(goneAt, now) || (interruption != null && passed(interruption.goneAt(), now));
  }

  /** Whether it can be used, or soon will. */
  boolean usable(Instant now) {
    return there(now) && deletedAt == null && !taken(now);
  }

  /** Whether the cloud took it back. */
  boolean taken(Instant now) {
    return interruption != null && passed(interruption.at(), now);
  }

  Found.State state(Instant now) {
    if (deletedAt != null || taken(now)) {
      return Found.State.LEAVING;
    }
    return now.isBefore(readyAt) ? Found.State.CREATING : Found.State.READY;
  }

  static boolean passed(@Nullable Instant time, Instant now) {
    return time != null && !now.isBefore(time);
  }
}
