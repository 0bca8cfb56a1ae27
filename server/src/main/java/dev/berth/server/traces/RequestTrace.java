package dev.berth.server.traces;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A request that is being answered, as traces see it. Used by one thread after the other. */
public final class RequestTrace {
  /** Of a request that nobody traces. */
  public static final RequestTrace NONE = new RequestTrace();

  private final @Nullable Traces traces;
  private final @Nullable TraceContext self;
  private final @Nullable TraceContext parent;
  private final InstantSource clock;
  private final Instant from;

  /** Guarded by itself. */
  private final List<Span.Moment> moments = new ArrayList<>();

  private RequestTrace() {
    this.traces = null;
    this.self = null;
    this.parent = null;
    this.clock = InstantSource.system();
    this.from = Instant.EPOCH;
  }

  RequestTrace(
      Traces traces, TraceContext self, @Nullable TraceContext parent, InstantSource clock) {
    this.traces = traces;
    this.self = self;
    this.parent = parent;
    this.clock = clock;
    this.from = clock.instant();
  }

  /** What says to others that they are part of this; null where nothing is traced. */
  public @Nullable String traceparent() {
    return self == null ? null : self.text();
  }

  /** The trace that it is part of; null where nothing is traced. */
  public @Nullable String traceId() {
    return self == null ? null : self.traceId();
  }

  /** Something happened on the way to the answer. */
  public void happened(String name) {
    if (self != null && self.sampled()) {
      synchronized (moments) {
        moments.add(new Span.Moment(name, clock.instant()));
      }
    }
  }

  /**
   * The request was answered.
   *
   * @param route as the list of routes has it; null for a path that is no route, of which nothing
   *     is kept
   */
  public void answered(
      String method, @Nullable String route, String path, int status, @Nullable String requestId) {
    if (traces == null || self == null || !self.sampled()) {
      return;
    }
    Map<String, Object> attributes = new LinkedHashMap<>();
    attributes.put("http.request.method", method);
    attributes.put("url.scheme", "http");
    if (route != null) {
      attributes.put("http.route", route);
      attributes.put("url.path", path);
    }
    attributes.put("http.response.status_code", status);
    boolean failed = status >= 500;
    if (failed) {
      attributes.put("error.type", Integer.toString(status));
    }
    if (requestId != null) {
      attributes.put("berth.request.id", requestId);
    }
    List<Span.Moment> all;
    synchronized (moments) {
      all = List.copyOf(moments);
    }
    traces.send(
        new Span(
            self,
            parent,
            route == null ? method : method + " " + route,
            Span.Kind.SERVER,
            from,
            clock.instant(),
            attributes,
            failed,
            all,
            List.of()));
  }
}
