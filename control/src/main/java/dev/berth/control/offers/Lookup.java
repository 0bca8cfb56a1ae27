package dev.berth.control.offers;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What is known of one question to one backend. Guarded by the lock of its cache. */
final class Lookup {
  /** The last good answer; null before the first one. */
  private @Nullable Good good;

  /** What went wrong last; null where the last answer was good. */
  private @Nullable Failure failure;

  private @Nullable Flight flight;

  /** When the last question was asked that was answered, failed, or took too long. */
  private Instant asOf = Instant.MIN;

  /** Grows with each change, and is larger than that of every earlier change of others. */
  private long version;

  /** When it was last asked. */
  private Instant askedAt = Instant.MIN;

  /**
   * An answer.
   *
   * @param depth how many offers were looked at
   */
  record Good(Instant askedAt, int depth, BackendQuery.Found found) {}

  /** Something that went wrong. */
  record Failure(String sentence) {}

  /** A question that is being asked. */
  static final class Flight {
    private final Instant askedAt;
    private final int depth;

    /** Who asks; null before and after. */
    private @Nullable Thread thread;

    private boolean abandoned;

    Flight(Instant askedAt, int depth) {
      this.askedAt = askedAt;
      this.depth = depth;
    }

    int depth() {
      return depth;
    }

    /** Whoever asks says so; false where nobody waits for the answer any more. */
    boolean take(Thread by) {
      thread = by;
      return !abandoned;
    }

    void done() {
      thread = null;
    }

    boolean isOlder(Duration limit, Instant now) {
      return Duration.between(askedAt, now).compareTo(limit) >= 0;
    }

    Instant at(Duration after) {
      return askedAt.plus(after);
    }
  }

  Flight begin(Instant now, int depth) {
    Flight begun = new Flight(now, depth);
    flight = begun;
    askedAt = now;
    return begun;
  }

  /** An answer came; a late one counts if nothing newer is known. */
  void answered(Flight answered, BackendQuery.Found found) {
    if (good == null || !answered.askedAt.isBefore(good.askedAt())) {
      good = new Good(answered.askedAt, answered.depth, found);
    }
    if (end(answered)) {
      failure = null;
    }
  }

  void failed(Flight failed, String sentence) {
    if (end(failed)) {
      failure = new Failure(sentence);
    }
  }

  private boolean end(Flight ended) {
    if (flight != ended) {
      return false;
    }
    flight = null;
    asOf = ended.askedAt;
    return true;
  }

  /** Nobody waits for the answer any more, but it counts when it comes. */
  void late(Flight open, String sentence) {
    if (asOf.isBefore(open.askedAt)) {
      asOf = open.askedAt;
      failure = new Failure(sentence);
    }
  }

  /** Ends a question that is still open. */
  void abandon(String sentence) {
    Flight open = flight;
    if (open != null) {
      open.abandoned = true;
      if (open.thread != null) {
        open.thread.interrupt();
      }
      failed(open, sentence);
    }
  }

  /** Whether the open question has been waited for long enough. */
  boolean isLate() {
    return flight != null && !asOf.isBefore(flight.askedAt);
  }

  @Nullable Good good() {
    return good;
  }

  @Nullable Failure failure() {
    return failure;
  }

  @Nullable Flight flight() {
    return flight;
  }

  Instant asOf() {
    return asOf;
  }

  Instant askedAt() {
    return askedAt;
  }

  long version() {
    return version;
  }

  void changed(long newVersion) {
    version = newVersion;
  }

  /** Whether whoever asked knows what came of it. */
  boolean isResolved() {
    return !asOf.equals(Instant.MIN);
  }

  boolean wasAsked() {
    return !askedAt.equals(Instant.MIN);
  }
}
