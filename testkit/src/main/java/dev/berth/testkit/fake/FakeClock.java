package dev.berth.testkit.fake;

import dev.berth.testkit.Patience;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The time of a fake cloud. A virtual one passes only when a test advances it, so that whatever
 * takes minutes at the provider takes no time in a test and happens at an exact moment. One that
 * runs is for fakes whose things are real processes, which take their own time.
 */
public final class FakeClock implements InstantSource {
  /** Processes of a test do what is awaited sooner; whoever waits longer waits for the provider. */
  private static final Duration LONGEST_REAL_PAUSE = Duration.ofSeconds(2);

  private final Supplier<Instant> base;
  private final @Nullable AtomicReference<Duration> advanced;
  private final Duration longestRealPause;

  private FakeClock(Supplier<Instant> base, boolean advances, Duration longestRealPause) {
    this.base = base;
    this.advanced = advances ? new AtomicReference<>(Duration.ZERO) : null;
    this.longestRealPause = longestRealPause;
  }

  /** A clock that stands still until it is advanced. */
  public static FakeClock virtual() {
    return startingAt(Instant.parse("2026-11-16T00:00:00Z"));
  }

  /** A clock that stands still until it is advanced. */
  public static FakeClock startingAt(Instant start) {
    return new FakeClock(() -> start, true, Duration.ZERO);
  }

  /** The time of the machine. */
  public static FakeClock real() {
    return new FakeClock(InstantSource.system()::instant, false, Duration.ZERO);
  }

  /** A clock that runs as the machine's does, and can be advanced besides. */
  public static FakeClock running() {
    return new FakeClock(InstantSource.system()::instant, true, LONGEST_REAL_PAUSE);
  }

  @Override
  public Instant instant() {
    return advanced == null ? base.get() : base.get().plus(advanced.get());
  }

  /**
   * Lets time pass.
   *
   * @throws IllegalStateException for real time, which nobody can advance
   */
  public void advance(Duration time) {
    if (advanced == null) {
      throw new IllegalStateException("real time cannot be advanced; use FakeClock.virtual()");
    }
    if (time.isNegative()) {
      throw new IllegalArgumentException("time does not run backwards: " + time);
    }
    advanced.updateAndGet(before -> before.plus(time));
  }

  /**
   * How the conformance kit waits: by advancing the clock where it can be advanced, or in real
   * time. Of a clock that runs, it waits for pauses of up to two seconds.
   */
  public Patience patience() {
    return advanced == null ? Patience.real() : Patience.advancing(longestRealPause, this::advance);
  }
}
