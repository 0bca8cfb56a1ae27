package dev.berth.server.traces;

import java.time.InstantSource;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** All traces of a server, or none where nobody wants them. Nothing here waits or throws. */
public final class Traces implements AutoCloseable {
  /** Nobody wants any. */
  public static final Traces OFF = new Traces(null, 0, InstantSource.system());

  private final @Nullable SpanQueue queue;
  private final double sample;
  private final InstantSource clock;

  private Traces(@Nullable SpanQueue queue, double sample, InstantSource clock) {
    this.queue = queue;
    this.sample = sample;
    this.clock = clock;
  }

  /** Sends traces to a collector from now on, whether it is there or not. */
  public static Traces open(TraceSettings settings, String version, InstantSource clock) {
    return to(new OtlpExport(settings, version), settings.sample(), clock);
  }

  static Traces to(SpanExport export, double sample, InstantSource clock) {
    SpanQueue queue = new SpanQueue(export);
    queue.start();
    return new Traces(queue, sample, clock);
  }

  public boolean isOn() {
    return queue != null;
  }

  /** How many spans were lost because the collector did not take them. */
  public long dropped() {
    return queue == null ? 0 : queue.dropped();
  }

  /**
   * A request came.
   *
   * @param traceparent the header in which its sender says which trace it is part of
   */
  public RequestTrace begin(@Nullable String traceparent) {
    if (queue == null) {
      return RequestTrace.NONE;
    }
    TraceContext parent = TraceContext.read(traceparent).orElse(null);
    TraceContext self = parent == null ? fresh() : parent.span(random(8));
    return new RequestTrace(this, self, parent, clock);
  }

  private TraceContext fresh() {
    String traceId = random(16);
    return new TraceContext(traceId, random(8), isSampled(traceId));
  }

  /**
   * Whether a trace that begins here is sent. It follows from the id alone, so that all servers
   * agree, as they do who sample by OpenTelemetry's ratio.
   */
  boolean isSampled(String traceId) {
    long random = Long.parseUnsignedLong(traceId.substring(16), 16) & Long.MAX_VALUE;
    return sample >= 1 || random < (long) (sample * Long.MAX_VALUE);
  }

  private static String random(int bytes) {
    byte[] id = new byte[bytes];
    ThreadLocalRandom.current().nextBytes(id);
    // No id is all zeros.
    id[0] |= 1;
    return HexFormat.of().formatHex(id);
  }

  /** Takes a span that is over. */
  void send(Span span) {
    if (queue != null && span.self().sampled()) {
      queue.add(span);
    }
  }

  /** One that could not even be made counts, too. */
  void drop() {
    if (queue != null) {
      queue.drop();
    }
  }

  /** Sends what waits, for a few seconds at most. */
  @Override
  public void close() {
    if (queue != null) {
      queue.close();
    }
  }
}
