package dev.berth.testkit;

import java.time.Duration;

/**
 * How long the kit waits before it says that something does not happen.
 *
 * @param ready for a thing to be ready, or a job to run
 * @param gone for a thing to be gone after it was deleted
 * @param check for a whole check, in real time
 */
public record Limits(Duration ready, Duration gone, Duration check) {
  public static final Limits USUAL =
      new Limits(Duration.ofMinutes(10), Duration.ofMinutes(10), Duration.ofMinutes(45));
}
