package dev.berth.cli;

import dev.berth.client.ClientException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/**
 * Sends a change again, with the same Idempotency-Key, where no server answers or the one that does
 * is not ready: another one may be taking over, which takes some seconds. It is done once.
 */
final class SentAgain {
  /** Together longer than a take-over. */
  private static final List<Duration> PAUSES =
      List.of(
          Duration.ofSeconds(1),
          Duration.ofSeconds(2),
          Duration.ofSeconds(4),
          Duration.ofSeconds(8),
          Duration.ofSeconds(8));

  private final PrintWriter err;
  private final Pause pause;

  /** How time passes. */
  interface Pause {
    void last(Duration time) throws InterruptedException;
  }

  SentAgain(PrintWriter err) {
    this(err, Thread::sleep);
  }

  SentAgain(PrintWriter err, Pause pause) {
    this.err = err;
    this.pause = pause;
  }

  /** Sends a change by a new key. */
  <T> T send(Function<String, T> change) {
    String key = UUID.randomUUID().toString();
    for (Duration time : PAUSES) {
      try {
        return change.apply(key);
      } catch (ClientException e) {
        if (!mayBeTakenLater(e)) {
          throw e;
        }
        err.println(
            "berth: the server is not ready; retrying in %d s: %s"
                .formatted(time.toSeconds(), e.getMessage()));
        err.flush();
        await(time, e);
      }
    }
    return change.apply(key);
  }

  private static boolean mayBeTakenLater(ClientException e) {
    return (e.status() == 0 && !Thread.currentThread().isInterrupted()) || e.status() == 503;
  }

  private void await(Duration time, ClientException cause) {
    try {
      pause.last(time);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      cause.addSuppressed(e);
      throw cause;
    }
  }
}
