package dev.berth.server;

import io.javalin.http.Context;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.server.Request;

/** Those whose requests were taken, and who do not have all of their answers yet. */
final class Guests {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition allLeft = lock.newCondition();

  /** Guarded by the lock. */
  private int inside;

  /** Counts whoever asks until the last byte of the answer is on its way. */
  void enter(Context context) {
    add(1);
    Request.addCompletionListener(
        ServletContextRequest.getServletContextRequest(context.req()), _ -> add(-1));
  }

  private void add(int more) {
    lock.lock();
    try {
      inside += more;
      if (inside == 0) {
        allLeft.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Waits until nobody is inside any more, at most so long; says whether that is so. */
  boolean awaitAllLeft(Duration atMost) {
    lock.lock();
    try {
      long left = atMost.toNanos();
      while (inside > 0 && left > 0) {
        left = allLeft.awaitNanos(left);
      }
      return inside == 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      lock.unlock();
    }
  }
}
