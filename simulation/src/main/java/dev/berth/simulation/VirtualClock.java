package dev.berth.simulation;

import java.time.Instant;
import java.time.InstantSource;

/** A clock that stands still until it is set. */
final class VirtualClock implements InstantSource {
  static final Instant BEGINNING = Instant.parse("2026-01-01T00:00:00Z");

  private Instant now = BEGINNING;

  @Override
  public Instant instant() {
    return now;
  }

  void set(Instant time) {
    if (time.isBefore(now)) {
      throw new IllegalArgumentException("time does not go back from " + now + " to " + time);
    }
    now = time;
  }
}
