package dev.berth.control;

import java.time.Duration;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** The watches of one backend, with the thread that steps them. */
final class Following {
  private static final System.Logger LOG = System.getLogger(Following.class.getName());

  private final Watches watches;
  private final Machinery machinery;
  private final InstantSource clock;
  private final Thread thread;
  private @Nullable AutoCloseable ring;
  private volatile boolean ending;

  Following(Watches watches, Machinery machinery, InstantSource clock) {
    this.watches = watches;
    this.machinery = machinery;
    this.clock = clock;
    this.thread =
        Thread.ofPlatform()
            .name("berth-watch-" + watches.backend())
            .daemon()
            .unstarted(this::watch);
  }

  /** Called once. */
  void start() {
    ring = watches.open();
    thread.start();
  }

  private void watch() {
    try {
      while (!ending) {
        watches.awaitNext(clock.instant());
        machinery.step(watches);
      }
    } catch (InterruptedException e) {
      LOG.log(System.Logger.Level.DEBUG, "A watch ends");
    }
  }

  /** Ends the thread, and waits for it. */
  void end() {
    ending = true;
    thread.interrupt();
    try {
      if (ring != null) {
        ring.close();
      }
    } catch (Exception e) {
      LOG.log(System.Logger.Level.WARNING, "A watch could not be closed", e);
    }
    await(thread);
  }

  static void await(Thread thread) {
    if (thread.getState() == Thread.State.NEW) {
      return;
    }
    try {
      thread.join(Duration.ofSeconds(10));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
