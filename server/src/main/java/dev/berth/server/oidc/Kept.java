package dev.berth.server.oidc;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Something that an issuer publishes: fetched when it is first needed, kept for an hour. While one
 * thread fetches the others wait for it, and what fails is not asked again at once.
 */
final class Kept<T> {
  static final Duration FRESH = Duration.ofHours(1);
  static final Duration BETWEEN_RENEWALS = Duration.ofMinutes(1);
  static final Duration AFTER_FAILURE = Duration.ofSeconds(5);

  private final Source<T> source;
  private final InstantSource clock;
  private final ReentrantLock lock = new ReentrantLock();

  /** Guarded by the lock. */
  private @Nullable Fetched<T> fetched;

  /** Guarded by the lock. */
  private @Nullable Failure failure;

  /** Where it comes from. */
  interface Source<T> {
    T fetch();
  }

  private record Fetched<T>(T value, Instant at) {}

  private record Failure(IssuerUnavailableException reason, Instant at) {}

  Kept(Source<T> source, InstantSource clock) {
    this.source = source;
    this.clock = clock;
  }

  /**
   * What is published, at most an hour old.
   *
   * @throws IssuerUnavailableException where it cannot be fetched
   */
  T value() {
    lock.lock();
    try {
      Fetched<T> known = fetched;
      return known != null && isWithin(known.at(), FRESH) ? known.value() : fetch();
    } finally {
      lock.unlock();
    }
  }

  /** What is published now; empty where it was fetched less than a minute ago. */
  Optional<T> renewed() {
    lock.lock();
    try {
      Fetched<T> known = fetched;
      return known != null && isWithin(known.at(), BETWEEN_RENEWALS)
          ? Optional.empty()
          : Optional.of(fetch());
    } finally {
      lock.unlock();
    }
  }

  private T fetch() {
    Failure before = failure;
    if (before != null && isWithin(before.at(), AFTER_FAILURE)) {
      throw new IssuerUnavailableException(
          String.valueOf(before.reason().getMessage()), before.reason());
    }
    try {
      T value = source.fetch();
      fetched = new Fetched<>(value, clock.instant());
      failure = null;
      return value;
    } catch (IssuerUnavailableException e) {
      failure = new Failure(e, clock.instant());
      throw e;
    }
  }

  private boolean isWithin(Instant since, Duration time) {
    Instant now = clock.instant();
    // A clock that was set back must not keep anything for longer.
    return !now.isBefore(since) && now.isBefore(since.plus(time));
  }
}
