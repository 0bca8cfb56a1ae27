package dev.berth.cli;

import dev.berth.client.ClientException;
import dev.berth.model.api.RunProgressView;
import dev.berth.model.api.RunView;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Looks how far a run is until it runs, and again when another attempt begins. Nothing tells of
 * progress, so it is asked for: often while there is some, rarely where nothing changes.
 */
final class StartWatch implements AutoCloseable {
  private static final Duration OFTEN = Duration.ofSeconds(1);
  private static final Duration RARELY = Duration.ofSeconds(5);

  private final Connection connection;
  private final RunView run;
  private final StartProgress progress;
  private final OutputGate gate;
  private final Semaphore bell = new Semaphore(0);
  private final Thread thread = Thread.ofVirtual().name("berth-start").unstarted(this::watch);

  StartWatch(Connection connection, RunView run, StartProgress progress, OutputGate gate) {
    this.connection = connection;
    this.run = run;
    this.progress = progress;
    this.gate = gate;
  }

  /** Called once. */
  void start() {
    thread.start();
  }

  /** Another attempt begins. */
  void again() {
    bell.release();
  }

  private void watch() {
    try {
      while (true) {
        untilItRuns();
        bell.acquire();
      }
    } catch (InterruptedException e) {
      // Closing is the only one who interrupts this thread.
      Thread.currentThread().interrupt();
    } catch (ClientException e) {
      // An older server does not know the request, and one that is gone shows in the output. The
      // run does not depend on it.
      progress.leaveLine();
    }
  }

  private void untilItRuns() throws InterruptedException {
    Duration pause = OFTEN;
    while (true) {
      // Also before the first look: what starts in a moment needs no line.
      if (bell.tryAcquire(pause.toMillis(), TimeUnit.MILLISECONDS)) {
        bell.drainPermits();
      }
      RunProgressView now = connection.client().progress(connection.project(), run.id());
      gate.pass();
      boolean news = progress.show(now);
      if (now.jobs().isEmpty() && !isStarting(now.status())) {
        progress.leaveLine();
        return;
      }
      Duration longer = pause.plus(OFTEN);
      pause = news ? OFTEN : longer.compareTo(RARELY) > 0 ? RARELY : longer;
    }
  }

  private static boolean isStarting(String status) {
    return switch (status) {
      case "pending", "submitted", "provisioning" -> true;
      default -> false;
    };
  }

  /** Ends looking; when it returns, nothing more is said. */
  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    progress.leaveLine();
  }
}
