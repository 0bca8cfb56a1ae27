package dev.berth.server.traces;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** A collector that keeps what it is sent, and takes nothing while a test holds it. */
final class SentSpans implements SpanExport {
  final List<Span> taken = new CopyOnWriteArrayList<>();
  final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch free;
  private volatile boolean refusing;

  SentSpans(boolean held) {
    free = new CountDownLatch(held ? 1 : 0);
  }

  void letGo(boolean refuse) {
    refusing = refuse;
    free.countDown();
  }

  @Override
  public void send(List<Span> spans) throws NotTakenException {
    asked.countDown();
    try {
      free.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new NotTakenException("interrupted");
    }
    if (refusing) {
      throw new NotTakenException("it refuses them");
    }
    taken.addAll(spans);
  }

  @Override
  public void close() {}
}
