package dev.berth.simulation.plan;

import java.time.Duration;

/** Something that goes wrong on our side of the wire. Each can be taken out of a plan by itself. */
public sealed interface Trouble {
  /**
   * The server dies as by a power cut, and another one starts later.
   *
   * @param step before or in this step of the whole simulation, counted from 1
   */
  record Crash(long step, Where where, Duration downFor) implements Trouble {}

  /** Where in a step a server dies. */
  enum Where {
    BEFORE_STEP,
    BEFORE_COMMIT,
    AFTER_COMMIT
  }

  /**
   * The server dies right after it handed a call over, and the call is long on its way: another
   * server may have asked for the same by then.
   *
   * @param number of the call, in the order in which they were handed over, from 1
   */
  record CrashWithCall(long number, Duration there, Duration downFor) implements Trouble {}

  /** Another server takes over; the first one goes on until it learns of it. */
  record TakeOver(long step) implements Trouble {}

  /**
   * A commit goes wrong.
   *
   * @param number of the commit, counted from 1 over all servers
   */
  record FailedCommit(long number, Fate fate) implements Trouble {}

  /** What becomes of a commit. */
  enum Fate {
    /** Written, and nobody knows. */
    UNKNOWN_KEPT,
    /** Not written, and nobody knows. */
    UNKNOWN_LOST,
    /** Not written, and known not to be. */
    REFUSED
  }

  /**
   * A call takes long.
   *
   * @param number of the call, in the order in which they were handed over, from 1
   * @param there until the provider carries it out
   * @param back from then until its answer is here
   */
  record SlowCall(long number, Duration there, Duration back) implements Trouble {}

  /**
   * A call that is carried out, and whose answer nobody waits for long enough.
   *
   * @param back when it comes all the same; zero for never
   */
  record SilentCall(long number, Duration back) implements Trouble {}

  /** Word of what was seen at a provider takes long; what was seen later there waits behind it. */
  record SlowWord(long number, Duration delay) implements Trouble {}

  /**
   * The machine that is there by itself is not listed for a while.
   *
   * @param from since the beginning, as is {@code until}
   * @param silent whether it does not answer either
   */
  record HostAway(Duration from, Duration until, boolean silent) implements Trouble {}

  /** A look-up of offers takes long: what it tells may be old by then. */
  record SlowOffers(long number, Duration delay) implements Trouble {}

  /** The answer to a user's request is lost on its way. */
  record LostReply(long number) implements Trouble {}
}
