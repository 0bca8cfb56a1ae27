package dev.berth.control;

import dev.berth.decisions.Message;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** When something must be told although nothing happens, the earliest first. */
final class DueTimes {
  /** Nobody listens twice to what changes nothing, but it may have been set aside. */
  private static final Duration AGAIN = Duration.ofSeconds(30);

  private final TreeMap<Instant, Map<String, Message>> messages = new TreeMap<>();
  private final Map<String, Instant> times = new HashMap<>();

  /** Tells a message at a time, instead of what was to be told under the same key before. */
  void put(String key, @Nullable Instant at, Message message) {
    forget(key);
    if (at != null) {
      Instant whole = roundedUp(at);
      times.put(key, whole);
      messages.computeIfAbsent(whole, _ -> new LinkedHashMap<>()).put(key, message);
    }
  }

  /** Decisions know whole milliseconds, so before the next one nothing is due. */
  private static Instant roundedUp(Instant at) {
    Instant whole = at.truncatedTo(ChronoUnit.MILLIS);
    return whole.equals(at) ? at : whole.plusMillis(1);
  }

  void forget(String key) {
    Instant before = times.remove(key);
    if (before != null) {
      Map<String, Message> others = messages.get(before);
      if (others != null) {
        others.remove(key);
        if (others.isEmpty()) {
          messages.remove(before);
        }
      }
    }
  }

  Optional<Instant> next() {
    return messages.isEmpty() ? Optional.empty() : Optional.of(messages.firstKey());
  }

  /** All that is to be told now, and once more after a while unless what it is about changes. */
  List<Message> until(Instant now) {
    Map<String, Message> due = new LinkedHashMap<>();
    messages.headMap(now, true).values().forEach(due::putAll);
    due.forEach((key, message) -> put(key, now.plus(AGAIN), message));
    return new ArrayList<>(due.values());
  }
}
