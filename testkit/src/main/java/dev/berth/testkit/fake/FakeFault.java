package dev.berth.testkit.fake;

import java.time.Duration;

/** What can go wrong with a call to a fake cloud. Which call, a {@link FaultRule} says. */
public sealed interface FakeFault {
  /** The connection is closed before anything happens: the request was lost. */
  record LostBefore() implements FakeFault {}

  /** What was asked for happens, and the connection is closed without an answer. */
  record LostAfter() implements FakeFault {}

  /**
   * The call is refused and nothing happens: a server's error, no capacity, a region that the
   * account may not use. The client sees it in the vendor's form.
   */
  record Refused(int status, String code, String message) implements FakeFault {}

  /** What was asked for happens, and the answer says that it failed. */
  record RefusedAfter(int status, String code, String message) implements FakeFault {}

  /**
   * What was asked for happens or is refused, then something else, and then the answer is given:
   * such as that who asked is killed.
   */
  record Meanwhile(Runnable what) implements FakeFault {}

  /** The call is refused with 429 and {@code Retry-After}. */
  record TooMany(Duration retryAfter) implements FakeFault {
    public TooMany {
      if (retryAfter.isNegative()) {
        throw new IllegalArgumentException("nobody can wait for " + retryAfter);
      }
    }
  }

  /**
   * A call that changes several things fails behind some of the changes, which stay.
   *
   * @param changes how many are made
   */
  record HalfWay(int changes) implements FakeFault {
    public HalfWay {
      if (changes < 1) {
        throw new IllegalArgumentException("half way is behind at least one change");
      }
    }
  }

  /** The call is accepted, and refused some time later; a cloud reads it from its state. */
  record RefusedLater(String reason) implements FakeFault {}

  /** A read shows what was so long ago. */
  record Lagging(Duration lag) implements FakeFault {
    public Lagging {
      if (lag.isNegative()) {
        throw new IllegalArgumentException("reads do not show the future: " + lag);
      }
    }
  }

  /** There is no such page: 404 for a call that asks for any page but the first. */
  record MissingPage() implements FakeFault {}
}
