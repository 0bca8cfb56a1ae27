package dev.berth.catalog.collect;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Says which sources are due. Pure; whoever calls remembers when sources were collected.
 *
 * @param period how old prices may become
 * @param retry how long a source is left alone after it failed or was refused
 */
public record CollectSchedule(Duration period, Duration retry) {
  public CollectSchedule {
    if (!period.isPositive() || !retry.isPositive()) {
      throw new IllegalArgumentException("prices are collected after some time, not at once");
    }
  }

  /**
   * When a source was last asked, and when that last gave a snapshot.
   *
   * @param collected null where there is no snapshot
   * @param tried null where nobody asked since the start
   */
  public record Last(@Nullable Instant collected, @Nullable Instant tried) {
    public static final Last NEVER = new Last(null, null);
  }

  /** The sources to collect now, in the order in which they are given. */
  public List<String> due(Collection<String> sources, Map<String, Last> last, Instant now) {
    return sources.stream()
        .filter(source -> !dueAt(last.getOrDefault(source, Last.NEVER), now).isAfter(now))
        .toList();
  }

  /** When the next source is due, at the earliest now; empty where there are no sources. */
  public Optional<Instant> next(Collection<String> sources, Map<String, Last> last, Instant now) {
    return sources.stream()
        .map(source -> dueAt(last.getOrDefault(source, Last.NEVER), now))
        .min(Instant::compareTo)
        .map(earliest -> earliest.isBefore(now) ? now : earliest);
  }

  private Instant dueAt(Last last, Instant now) {
    Instant byAge = after(last.collected(), period, now);
    Instant byTry = after(last.tried(), retry, now);
    return byAge.isAfter(byTry) ? byAge : byTry;
  }

  /** A time in the future was written by a wrong clock; it must not put a source off for ever. */
  private static Instant after(@Nullable Instant time, Duration wait, Instant now) {
    return time == null || time.isAfter(now) ? now : time.plus(wait);
  }
}
