package dev.berth.server;

import dev.berth.ledger.LedgerException;
import dev.berth.ledger.Trimmable;
import dev.berth.model.config.ServerConfiguration.Retention;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/**
 * Deletes what is older than the server's file wants it kept. The active server does so, in pieces
 * with a pause after each: commits go in between, and never wait for more than one piece.
 */
final class RetentionSweep implements AutoCloseable {
  /** So few that deleting them takes no longer than a commit that is full. */
  static final int PIECE = 500;

  private static final System.Logger LOG = System.getLogger(RetentionSweep.class.getName());
  private static final Duration EVERY = Duration.ofHours(1);

  /** After each piece others have the storage for longer than the piece had it. */
  private static final Duration PAUSE = Duration.ofMillis(50);

  private final Retention retention;
  private final Trimming trimming;
  private final IntSupplier formerSecrets;
  private final InstantSource clock;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread =
      Thread.ofVirtual().name("berth-retention").unstarted(this::sweepAgainAndAgain);

  /** Deletes one piece of what is older, and says how many there were. */
  interface Trimming {
    int trim(Trimmable what, Instant before, int atMost);
  }

  /**
   * Deletes by and by.
   *
   * @param formerSecrets deletes values of secrets that nothing is hidden by any more, and says how
   *     many there were
   */
  RetentionSweep(
      Retention retention, Trimming trimming, IntSupplier formerSecrets, InstantSource clock) {
    this.formerSecrets = formerSecrets;
    this.retention = retention;
    this.trimming = trimming;
    this.clock = clock;
  }

  void start() {
    thread.start();
  }

  private void sweepAgainAndAgain() {
    try {
      do {
        try {
          sweep();
        } catch (LedgerException e) {
          LOG.log(System.Logger.Level.WARNING, "What is old could not be deleted", e);
        }
      } while (!closed.await(EVERY.toMillis(), TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Deletes all that is old now, and says how much that was. */
  long sweep() throws InterruptedException {
    long all = 0;
    for (Trimmable what : Trimmable.values()) {
      Instant before = clock.instant().minus(kept(what));
      long deleted = 0;
      int piece = PIECE;
      while (piece == PIECE && closed.getCount() > 0) {
        piece = trimming.trim(what, before, PIECE);
        deleted += piece;
        if (piece == PIECE && closed.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS)) {
          break;
        }
      }
      if (deleted > 0) {
        LOG.log(System.Logger.Level.INFO, "{0} old {1} were deleted", deleted, word(what));
      }
      all += deleted;
    }
    int former = formerSecrets.getAsInt();
    if (former > 0) {
      LOG.log(System.Logger.Level.INFO, "{0} former values of secrets were deleted", former);
    }
    return all + former;
  }

  private Duration kept(Trimmable what) {
    return switch (what) {
      case EVENTS -> retention.events();
      case REPLIES -> retention.idempotencyKeys();
      case FINISHED_ACTIONS -> retention.finishedActions();
    };
  }

  private static String word(Trimmable what) {
    return what.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  /** Ends it after the piece that is under way: an interrupted one would leave doubt. */
  @Override
  public void close() {
    closed.countDown();
    if (thread.getState() != Thread.State.NEW) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
