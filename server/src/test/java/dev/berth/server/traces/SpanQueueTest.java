package dev.berth.server.traces;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SpanQueueTest {
  private static final Instant NOON = Instant.parse("2026-11-01T12:00:00Z");

  private static Span span(int number) {
    TraceContext self =
        new TraceContext(TraceContext.traceIdOf("t"), TraceContext.spanIdOf("s" + number), true);
    return new Span(self, null, "s", Span.Kind.INTERNAL, NOON, NOON, Map.of(), false);
  }

  @Test
  void whoAddsNeverWaitsAndWhatFindsNoRoomIsCounted() throws Exception {
    SentSpans collector = new SentSpans(true);
    SpanQueue queue = new SpanQueue(collector);
    // Before it starts, so that it takes all of them at once however slow this thread is.
    for (int i = 0; i < SpanQueue.BATCH; i++) {
      queue.add(span(i));
    }
    queue.start();
    // The thread is with the collector, which says nothing; now the line fills.
    collector.asked.await();
    for (int i = 0; i < SpanQueue.MOST + 7; i++) {
      queue.add(span(i));
    }
    assertThat(queue.dropped()).isEqualTo(7);
    collector.letGo(false);
    queue.close();
    assertThat(collector.taken).hasSize(SpanQueue.BATCH + SpanQueue.MOST);
    queue.add(span(0));
    assertThat(queue.dropped()).isEqualTo(8);
  }

  @Test
  void whatACollectorRefusesIsCountedAndNotKept() {
    SentSpans collector = new SentSpans(false);
    collector.letGo(true);
    SpanQueue queue = new SpanQueue(collector);
    queue.start();
    for (int i = 0; i < 10; i++) {
      queue.add(span(i));
    }
    queue.close();
    assertThat(queue.dropped()).isEqualTo(10);
    assertThat(collector.taken).isEmpty();
  }

  @Test
  void aCollectorThatNeverAnswersDoesNotHoldUpTheStop() throws Exception {
    SentSpans collector = new SentSpans(true);
    SpanQueue queue = new SpanQueue(collector);
    queue.start();
    for (int i = 0; i < SpanQueue.BATCH; i++) {
      queue.add(span(i));
    }
    collector.asked.await();
    queue.close();
    assertThat(collector.taken).isEmpty();
  }
}
