package dev.berth.cli;

/** Keeps the output of a run back while a question stands at the terminal. Safe for any thread. */
final class OutputGate {
  private boolean closed;

  synchronized void close() {
    closed = true;
  }

  synchronized void open() {
    closed = false;
    notifyAll();
  }

  synchronized boolean isClosed() {
    return closed;
  }

  /** Returns as soon as the gate is open. */
  synchronized void pass() throws InterruptedException {
    while (closed) {
      wait();
    }
  }
}
