package dev.berth.control.offers;

import dev.berth.decisions.OfferAnswer;
import java.time.Instant;

/** Somebody asks for offers. Guarded by the lock of its cache. */
final class Question {
  private static final int STEP = 4;

  private Instant usedAt;

  /** Answers of before are not enough for one who waits; the beginning of time where all are. */
  private Instant since = Instant.MIN;

  private int depth;

  /** Whether the loop wants to hear of the next change. */
  private boolean waiting;

  private OfferAnswer answer = OfferAnswer.UNKNOWN;

  /** The version of what the answer was made of. */
  private long madeOf = -1;

  Question(Instant now, int depth) {
    this.usedAt = now;
    this.depth = depth;
  }

  void use(Instant now, int wanted) {
    usedAt = now;
    depth = Math.max(depth, wanted);
  }

  /**
   * The loop asks.
   *
   * @param newerThan the beginning of time where it found something
   */
  void want(Instant newerThan, boolean cut, int most) {
    boolean foundNothing = !newerThan.equals(Instant.MIN);
    waiting |= foundNothing || !answer.settled();
    since = newerThan.isAfter(since) ? newerThan : since;
    if (foundNothing && cut && !answer.asOf().isBefore(newerThan)) {
      depth = Math.min(most, depth * STEP);
    }
  }

  /** Whether what the answer is made of has changed since it was made. */
  boolean isOutdated(long version) {
    boolean outdated = madeOf != version;
    madeOf = version;
    return outdated;
  }

  /**
   * Whether the loop is to be told that the answer is another one now. Before it is settled nobody
   * would take anything.
   */
  boolean replace(OfferAnswer other) {
    if (answer.equals(other)) {
      return false;
    }
    answer = other;
    boolean told = waiting && other.settled();
    waiting &= !told;
    return told;
  }

  Instant usedAt() {
    return usedAt;
  }

  Instant since() {
    return since;
  }

  int depth() {
    return depth;
  }

  boolean isWaiting() {
    return waiting;
  }

  OfferAnswer answer() {
    return answer;
  }
}
