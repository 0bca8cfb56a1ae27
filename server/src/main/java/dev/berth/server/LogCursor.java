package dev.berth.server;

import dev.berth.model.Attempt;
import dev.berth.spi.JobRuntime;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How far somebody has read the output of a node: which attempt, and where in each stream. */
final class LogCursor {
  private String attemptId;
  private final Map<JobRuntime.Stream, Long> offsets = new EnumMap<>(JobRuntime.Stream.class);

  /** At the beginning of whichever attempt is the newest. */
  LogCursor() {
    this("");
  }

  private LogCursor(String attemptId) {
    this.attemptId = attemptId;
  }

  /** From the id of an event. */
  static LogCursor parse(String id) {
    String[] parts = id.split(":", -1);
    try {
      if (parts.length == 3) {
        LogCursor cursor = new LogCursor(parts[0]);
        cursor.advance(JobRuntime.Stream.STDOUT, Long.parseLong(parts[1]));
        cursor.advance(JobRuntime.Stream.STDERR, Long.parseLong(parts[2]));
        return cursor;
      }
    } catch (NumberFormatException e) {
      throw wrong();
    }
    throw wrong();
  }

  private static ApiException wrong() {
    return new ApiException(400, "the header 'Last-Event-ID' is not one that this stream gave out");
  }

  String id() {
    return attemptId
        + ":"
        + offset(JobRuntime.Stream.STDOUT)
        + ":"
        + offset(JobRuntime.Stream.STDERR);
  }

  long offset(JobRuntime.Stream stream) {
    return offsets.getOrDefault(stream, 0L);
  }

  /** Where it is in each of the streams. */
  Map<JobRuntime.Stream, Long> offsets() {
    Map<JobRuntime.Stream, Long> all = new EnumMap<>(JobRuntime.Stream.class);
    for (JobRuntime.Stream stream : JobRuntime.Stream.values()) {
      all.put(stream, offset(stream));
    }
    return all;
  }

  void advance(JobRuntime.Stream stream, long offset) {
    offsets.put(stream, offset);
  }

  /** The attempt that is read; empty where none was chosen yet, or it was deleted. */
  Optional<Attempt> current(List<Attempt> attempts) {
    return attempts.stream().filter(attempt -> attempt.id().equals(attemptId)).findFirst();
  }

  /**
   * Goes to the next attempt, where the current one has ended and all of it was read; at the
   * beginning to the newest. Returns whether there was one.
   */
  boolean moveOn(List<Attempt> attempts) {
    Attempt current = current(attempts).orElse(null);
    Attempt next;
    if (current == null) {
      next = attempts.isEmpty() ? null : attempts.getLast();
    } else {
      int index = attempts.indexOf(current) + 1;
      next = current.active() || index == attempts.size() ? null : attempts.get(index);
    }
    if (next == null) {
      return false;
    }
    attemptId = next.id();
    offsets.clear();
    return true;
  }
}
