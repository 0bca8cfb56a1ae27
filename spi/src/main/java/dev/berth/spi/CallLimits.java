package dev.berth.spi;

import java.time.Duration;

/**
 * How much a provider takes of one account. Berth keeps to it: calls wait for their turn, and a
 * {@link BackendException.RateLimited} holds up all calls of the account, not only the one that was
 * refused. Output and connections of jobs are not counted.
 *
 * @param concurrent calls at one time
 * @param perSecond calls of any kind on average
 * @param launches what asks for a machine or a rented job, where less of it is taken than of others
 */
public record CallLimits(int concurrent, double perSecond, Launches launches) {
  /** For providers that state none. */
  public static final CallLimits USUAL = new CallLimits(16, 20);

  /** For machines of users' own, which belong to no account. */
  public static final CallLimits NONE = new CallLimits(Integer.MAX_VALUE, 1e9);

  public CallLimits {
    if (concurrent < 1 || !(perSecond > 0)) {
      throw new IllegalArgumentException("limits are larger than nothing");
    }
  }

  /** Launches are taken as often as other calls. */
  public CallLimits(int concurrent, double perSecond) {
    this(concurrent, perSecond, new Launches(perSecond, Math.max(1, (int) perSecond)));
  }

  /** The same with limits of their own for launches. */
  public CallLimits with(Launches newLaunches) {
    return new CallLimits(concurrent, perSecond, newLaunches);
  }

  /**
   * How often an account may launch.
   *
   * @param perSecond on average
   * @param burst how many at once, after a rest that was long enough
   */
  public record Launches(double perSecond, int burst) {
    public Launches {
      if (!(perSecond > 0) || burst < 1) {
        throw new IllegalArgumentException("limits are larger than nothing");
      }
    }

    /** One at a time, and no sooner than so long after the one before. */
    public static Launches oneEvery(Duration interval) {
      return new Launches(1e9 / interval.toNanos(), 1);
    }
  }
}
