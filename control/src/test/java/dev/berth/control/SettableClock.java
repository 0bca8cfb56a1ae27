package dev.berth.control;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that stands still until a test moves it. */
final class SettableClock implements InstantSource {
  private volatile Instant now = Instant.parse("2026-11-01T12:00:00Z");

  @Override
  public Instant instant() {
    return now;
  }

  void set(Instant time) {
    now = time;
  }

  void pass(Duration time) {
    now = now.plus(time);
  }
}
