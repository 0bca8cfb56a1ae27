package dev.berth.control;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** What is looked at of one backend besides its jobs: the things that we have there. */
record BackendResources(String backend, ResourceWatches things, Sweeper sweeper) {
  private static final System.Logger LOG = System.getLogger(BackendResources.class.getName());

  /** When the next step has something to look at. */
  Optional<Instant> next(Instant now) {
    Instant sweep = sweeper.next(now).orElseThrow();
    return Optional.of(things.next(now).filter(look -> look.isBefore(sweep)).orElse(sweep));
  }

  /** Looks where it is time to. */
  void step(Instant now) {
    try {
      things.step(now);
      sweeper.step(now);
    } catch (RuntimeException | LinkageError e) {
      // The next look is the retry.
      LOG.log(System.Logger.Level.WARNING, "What is at " + backend + " could not be seen", e);
    }
  }

  boolean isUnswept() {
    return sweeper.isStopped();
  }

  /** Waits until there is something to look at. */
  void await(Instant now) throws InterruptedException {
    things.await(Duration.between(now, next(now).orElseThrow()));
  }
}
