package dev.berth.server;

import dev.berth.model.Attempt;
import dev.berth.spi.JobRuntime;

/** Reads what jobs have written. */
interface JobOutputs {
  /**
   * Reads a piece of what an attempt has written. What is not there yet is empty.
   *
   * @throws dev.berth.spi.BackendException where it cannot be read now
   */
  JobRuntime.Output read(Attempt attempt, JobRuntime.Stream stream, long offset, int limit);

  /** Whether a look goes over a network, so that it is not taken again at once. */
  boolean isFar(Attempt attempt);
}
