package dev.berth.testkit.fake;

import dev.berth.testkit.Patience;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The time of a fake cloud. A virtual one passes only when a test advances it, so that whatever
 * takes minutes at the provider takes no time in a test and happens at an exact moment.
 */
public final class FakeClock implements InstantSource {
  private final @Nullable AtomicReference<Instant> virtual;

  private FakeClock(@Nullable AtomicReference<Instant> virtual) {
    this.virtual = virtual;
  }

  /** A clock that stands still until it is advanced. */
  public static FakeClock virtual() {
    return startingAt(Instant.parse("2026-11-16T00:00:00Z"));
  }

  /** A clock that stands still until it is advanced. */
  public static FakeClock startingAt(Instant start) {
    return new FakeClock(new AtomicReference<>(start));
  }

  /** The time of the machine. */
  public static FakeClock real() {
    return new FakeClock(null);
  }

  @Override
  public Instant instant() {
    return virtual == null ? InstantSource.system().instant() : virtual.get();
  }

  /**
   * Lets time pass.
   *
   * @throws IllegalStateException for real time, which nobody can advance
   */
  public void advance(Duration time) {
    if (virtual == null) {
      throw new IllegalStateException("real time cannot be advanced; use FakeClock.virtual()");
    }
    if (time.isNegative()) {
      throw new IllegalArgumentException("time does not run backwards: " + time);
    }
    virtual.updateAndGet(instant -> instant.plus(time));
  }

  /** How the conformance kit waits: by advancing a virtual clock, or in real time. */
  public Patience patience() {
    return virtual == null ? Patience.real() : (_, longest) -> advance(longest);
  }
}
