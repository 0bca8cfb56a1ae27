package dev.berth.catalog.collect;

import dev.berth.catalog.gate.Samples;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;

/** Stands still until it is told to go on. */
final class TestClock implements InstantSource {
  private final AtomicReference<Instant> now = new AtomicReference<>(Samples.NOON);

  @Override
  public Instant instant() {
    return now.get();
  }

  void goOn(Duration duration) {
    now.updateAndGet(before -> before.plus(duration));
  }
}
