package dev.berth.server;

import dev.berth.model.Attempt;
import dev.berth.spi.JobRuntime;
import java.util.EnumMap;
import java.util.Map;

/** Reads what jobs have written. */
interface JobOutputs {
  /**
   * Reads a piece of what an attempt has written. What is not there yet is empty.
   *
   * @throws dev.berth.spi.BackendException where it cannot be read now
   */
  JobRuntime.Output read(Attempt attempt, JobRuntime.Stream stream, long offset, int limit);

  /**
   * Reads what is new of all streams. Where that is asked of another server, it may take some
   * seconds, for as long as nothing is new and something may come.
   *
   * @param offsets where to begin, by stream
   */
  default Map<JobRuntime.Stream, JobRuntime.Output> readAll(
      Attempt attempt, Map<JobRuntime.Stream, Long> offsets, int limit) {
    Map<JobRuntime.Stream, JobRuntime.Output> pieces = new EnumMap<>(JobRuntime.Stream.class);
    offsets.forEach((stream, offset) -> pieces.put(stream, read(attempt, stream, offset, limit)));
    return pieces;
  }

  /** Whether a look goes over a network, so that it is not taken again at once. */
  boolean isFar(Attempt attempt);
}
