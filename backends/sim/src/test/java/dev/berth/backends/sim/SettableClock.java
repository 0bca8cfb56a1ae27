package dev.berth.backends.sim;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that stands still until it is told to go on. */
final class SettableClock implements InstantSource {
  static final Instant START = Instant.parse("2026-11-01T00:00:00Z");

  private volatile Instant now = START;

  @Override
  public Instant instant() {
    return now;
  }

  void pass(Duration time) {
    now = now.plus(time);
  }

  void passSeconds(long seconds) {
    pass(Duration.ofSeconds(seconds));
  }
}
