package dev.berth.server.traces;

import java.util.List;

/** Sends spans to a collector. Only one thread calls it. */
interface SpanExport extends AutoCloseable {
  /**
   * Sends spans, and waits until they were taken.
   *
   * @throws NotTakenException they were not taken, and are not tried again
   */
  void send(List<Span> spans) throws NotTakenException;

  /** Ends what is under way; safe for any thread. */
  @Override
  void close();

  /** The collector did not take spans. The message says why, without anything secret. */
  final class NotTakenException extends Exception {
    private static final long serialVersionUID = 1L;

    NotTakenException(String message) {
      super(message);
    }
  }
}
