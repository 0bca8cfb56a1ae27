package dev.berth.server;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * What was read a moment ago, so that not every request reads it again. Never older than so long,
 * never more than so many, and what was not found is always looked for again.
 */
final class Recent<V> {
  private final InstantSource clock;
  private final Duration longest;
  private final int most;

  /** The one that was not used for longest comes first. Guarded by this. */
  private final Map<String, Entry<V>> entries = new LinkedHashMap<>(16, 0.75f, true);

  /** How often everything was forgotten. Guarded by this. */
  private long generation;

  private record Entry<V>(V value, Instant readAt) {}

  Recent(InstantSource clock, Duration longest, int most) {
    this.clock = clock;
    this.longest = longest;
    this.most = most;
  }

  Optional<V> find(String key, Function<String, Optional<V>> read) {
    Instant now = clock.instant();
    long before;
    synchronized (this) {
      Entry<V> entry = entries.get(key);
      if (entry != null && isFresh(entry, now)) {
        return Optional.of(entry.value());
      }
      before = generation;
    }
    Optional<V> value = read.apply(key);
    synchronized (this) {
      // What was read before a change must not be kept after it.
      if (value.isPresent() && before == generation) {
        entries.put(key, new Entry<>(value.get(), now));
        if (entries.size() > most) {
          entries.remove(entries.keySet().iterator().next());
        }
      } else {
        entries.remove(key);
      }
    }
    return value;
  }

  /** A clock that was set back must not make anything last longer. */
  private boolean isFresh(Entry<V> entry, Instant now) {
    Duration age = Duration.between(entry.readAt(), now);
    return !age.isNegative() && age.compareTo(longest) < 0;
  }

  synchronized void forget() {
    generation++;
    entries.clear();
  }

  synchronized int size() {
    return entries.size();
  }
}
