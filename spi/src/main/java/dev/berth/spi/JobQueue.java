package dev.berth.spi;

import java.util.List;
import java.util.Map;

/** Where jobs stand in the provider's own queue. */
public interface JobQueue {
  /**
   * How many are before each job. Jobs that run, have ended or are unknown have no entry. Changes
   * nothing; at most a minute.
   *
   * @throws BackendException.Transient where the provider does not answer
   */
  Map<String, Integer> positions(List<String> attemptIds);
}
