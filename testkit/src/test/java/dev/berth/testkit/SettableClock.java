package dev.berth.testkit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;

/** A time that passes only when somebody waits. */
public final class SettableClock implements InstantSource {
  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-11-16T00:00:00Z"));

  @Override
  public Instant instant() {
    return now.get();
  }

  /** Waits by moving the clock. */
  public Patience patience() {
    return Patience.advancing(Duration.ZERO, this::pass);
  }

  public void pass(Duration time) {
    now.updateAndGet(instant -> instant.plus(time));
  }
}
