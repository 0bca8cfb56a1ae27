package dev.berth.backends.sim;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/** The last calls of a simulated cloud, a line each. */
final class Trace {
  /** More than any test makes, and little enough for a server that runs for months. */
  private static final int MOST_LINES = 20_000;

  private final ReentrantLock lock = new ReentrantLock();

  /** Guarded by the lock. */
  private final Deque<String> lines = new ArrayDeque<>();

  void add(String line) {
    lock.lock();
    try {
      if (lines.size() == MOST_LINES) {
        lines.removeFirst();
      }
      lines.addLast(line);
    } finally {
      lock.unlock();
    }
  }

  List<String> lines() {
    lock.lock();
    try {
      return List.copyOf(lines);
    } finally {
      lock.unlock();
    }
  }
}
