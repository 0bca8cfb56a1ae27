package dev.berth.control.accounts;

import dev.berth.spi.BackendException;
import dev.berth.spi.CallLimits;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * What all calls to one account pass: its limits, and the patience that its provider asks for. A
 * call whose turn comes soon waits for it; one whose turn comes later is refused with the time
 * until then, and has that turn if it comes again under the same key. Nothing is asked of a clock
 * but what time it is, so with no patience no call ever waits, and a simulation can drive it. Safe
 * for any thread.
 */
public final class AccountGateway {
  /** Longer than this nobody is held up by one word of a provider. */
  private static final Duration LONGEST_CLOSED = Duration.ofMinutes(10);

  /** Nobody is put off for less. */
  private static final Duration AT_ONCE = Duration.ofMillis(1);

  /**
   * So much earlier than looks go changes on where the provider asked for patience: looks are many,
   * and would spend its patience before anything was given back.
   */
  private static final Duration HEAD_START = Duration.ofSeconds(1);

  /** A turn that nobody took is kept for so long. */
  private static final Duration KEPT = Duration.ofMinutes(1);

  /** When to come again where as many calls are under way as may be: nobody knows how long. */
  private static final Duration AFTER_OTHERS = Duration.ofSeconds(1);

  private final String backend;
  private final InstantSource clock;
  private final Duration patience;
  private final CallLimits limits;
  private final Consumer<Kind> made;
  private final Semaphore bulkhead;
  private final AtomicLong unnamed = new AtomicLong();
  private final ReentrantLock lock = new ReentrantLock();

  /** Guarded by the lock, as is all that follows. */
  private final Map<Kind, RateLimiter> limiters = new EnumMap<>(Kind.class);

  /** Until when the provider wants to hear nothing. */
  private Instant closedUntil = Instant.EPOCH;

  /** The time of the last call. */
  private Instant latest = Instant.EPOCH;

  /** The turns of those who were refused. */
  private final Map<String, Turn> turns = new HashMap<>();

  private record Turn(Kind kind, Instant at) {}

  /** What a call is for. */
  public enum Kind {
    /** It asks for something that costs money. */
    LAUNCH,
    /** It changes something else, such as taking it back. */
    CHANGE,
    READ;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Opens for calls.
   *
   * @param patience how long a call may wait for its turn; none where time does not pass meanwhile
   * @param made hears of each call that reaches the provider, and neither waits nor throws
   */
  public AccountGateway(
      String backend,
      CallLimits limits,
      InstantSource clock,
      Duration patience,
      Consumer<Kind> made) {
    this.backend = backend;
    this.limits = limits;
    this.clock = clock;
    this.patience = patience;
    this.made = made;
    this.bulkhead = new Semaphore(limits.concurrent());
    int burst = (int) Math.clamp(limits.perSecond(), 1, 1_000_000);
    limiters.put(
        Kind.LAUNCH, new RateLimiter(limits.launches().perSecond(), limits.launches().burst()));
    limiters.put(Kind.CHANGE, new RateLimiter(limits.perSecond(), burst));
    limiters.put(Kind.READ, new RateLimiter(limits.perSecond(), burst));
  }

  /**
   * Makes a call that changes nothing and that nobody repeats for its turn, such as for offers.
   *
   * @throws BackendException.RateLimited where its turn is too far away, or its provider says so
   */
  public <T> T read(Supplier<T> call) {
    return call("read-" + unnamed.incrementAndGet(), Kind.READ, call);
  }

  /**
   * Makes a call.
   *
   * @param key by which a call that was refused is known when it comes again
   * @throws BackendException.RateLimited where its turn is too far away, or its provider says so;
   *     nothing was made
   */
  public <T> T call(String key, Kind kind, Supplier<T> call) {
    awaitTurn(key, kind);
    enter();
    try {
      made.accept(kind);
      return call.get();
    } catch (BackendException.RateLimited e) {
      close(e.delay());
      throw e;
    } finally {
      bulkhead.release();
    }
  }

  private void awaitTurn(String key, Kind kind) {
    Instant now = clock.instant();
    Duration wait = Duration.between(now, takeTurn(key, kind, now));
    while (wait.compareTo(AT_ONCE) > 0) {
      try {
        Thread.sleep(wait);
      } catch (InterruptedException e) {
        throw interrupted();
      }
      // The provider may have asked for patience meanwhile.
      now = clock.instant();
      wait = isClosed(now) ? Duration.between(now, takeTurn(key, kind, now)) : Duration.ZERO;
    }
  }

  private boolean isClosed(Instant now) {
    lock.lock();
    try {
      return now.isBefore(closedUntil);
    } finally {
      lock.unlock();
    }
  }

  /** The time of a call's turn, which is taken; one that is too far away is kept for it. */
  private Instant takeTurn(String key, Kind kind, Instant now) {
    lock.lock();
    try {
      forgetIfSetBack(now);
      Turn kept = turns.remove(key);
      Turn turn = kept == null ? newTurn(kind, now) : kept;
      Duration wait = Duration.between(now, turn.at());
      if (wait.compareTo(patience) > 0 && wait.compareTo(AT_ONCE) > 0) {
        turns.put(key, turn);
        turns.values().removeIf(other -> other.at().isBefore(now.minus(KEPT)));
        throw new BackendException.RateLimited(refusal(kind), wait);
      }
      if (kind != Kind.READ) {
        // It is a call as well, and looks wait for that.
        limiter(Kind.READ).take(now);
      }
      return turn.at();
    } finally {
      lock.unlock();
    }
  }

  private Turn newTurn(Kind kind, Instant earliest) {
    Instant at = limiter(kind).next(earliest);
    limiter(kind).take(at);
    return new Turn(kind, at);
  }

  private RateLimiter limiter(Kind kind) {
    return Objects.requireNonNull(limiters.get(kind));
  }

  /** Where the clock was set back, turns would be as far away as it was. */
  private void forgetIfSetBack(Instant now) {
    if (now.isBefore(latest.minus(KEPT))) {
      closedUntil = now;
      turns.clear();
      limiters.values().forEach(RateLimiter::forget);
    }
    latest = now;
  }

  private String refusal(Kind kind) {
    return closedUntil.isAfter(clock.instant())
        ? "the provider of '" + backend + "' asked us to wait"
        : "'%s' takes %s %s, and others come first"
            .formatted(
                backend,
                kind == Kind.LAUNCH
                    ? rate(limits.launches().perSecond())
                    : rate(limits.perSecond()),
                kind == Kind.LAUNCH ? "launches" : "calls");
  }

  private static String rate(double perSecond) {
    return perSecond >= 1
        ? "%.0f a second".formatted(perSecond)
        : "one in %.0f seconds".formatted(1 / perSecond) + " of";
  }

  private void enter() {
    try {
      if (!bulkhead.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new BackendException.RateLimited(
            "'%s' takes %d calls at a time, and as many are under way"
                .formatted(backend, limits.concurrent()),
            AFTER_OTHERS);
      }
    } catch (InterruptedException e) {
      throw interrupted();
    }
  }

  private static BackendException interrupted() {
    Thread.currentThread().interrupt();
    return new BackendException.RateLimited(
        "the call was given up before it was made", AFTER_OTHERS);
  }

  /** The provider wants patience: whoever had a turn until then gets another one, in order. */
  private void close(Duration delay) {
    Duration closed = delay.compareTo(LONGEST_CLOSED) > 0 ? LONGEST_CLOSED : delay;
    lock.lock();
    try {
      Instant until = clock.instant().plus(closed);
      if (until.isAfter(closedUntil)) {
        closedUntil = until;
        limiters.forEach(
            (kind, limiter) ->
                limiter.closeUntil(kind == Kind.READ ? until.plus(HEAD_START) : until));
        turns.entrySet().stream()
            .filter(turn -> turn.getValue().at().isBefore(until))
            .sorted(Map.Entry.comparingByValue(Comparator.comparing(Turn::at)))
            .toList()
            .forEach(turn -> turn.setValue(newTurn(turn.getValue().kind(), until)));
      }
    } finally {
      lock.unlock();
    }
  }
}
