package dev.berth.server.traces;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Something that took time and is over.
 *
 * @param parent of the same trace; null for its first span
 * @param attributes texts, whole numbers and truth values by name. Never anything secret, and
 *     nothing that users wrote but names
 * @param failed whether it counts as an error
 * @param links spans of other traces that it has to do with
 */
record Span(
    TraceContext self,
    @Nullable TraceContext parent,
    String name,
    Kind kind,
    Instant from,
    Instant to,
    Map<String, Object> attributes,
    boolean failed,
    List<Moment> moments,
    List<TraceContext> links) {
  Span {
    attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
    moments = List.copyOf(moments);
    links = List.copyOf(links);
    // Clocks of other machines, and clocks that are set back, may say anything.
    to = to.isBefore(from) ? from : to;
  }

  /** One in which nothing happened that is worth a moment. */
  Span(
      TraceContext self,
      @Nullable TraceContext parent,
      String name,
      Kind kind,
      Instant from,
      Instant to,
      Map<String, Object> attributes,
      boolean failed) {
    this(self, parent, name, kind, from, to, attributes, failed, List.of(), List.of());
  }

  Span linkedTo(List<TraceContext> others) {
    return new Span(self, parent, name, kind, from, to, attributes, failed, moments, others);
  }

  /** Which side of a call it is, if any. */
  enum Kind {
    /** It answers a request. */
    SERVER,
    /** It asks somebody else. */
    CLIENT,
    INTERNAL
  }

  /** Something that happened within a span, at once. */
  record Moment(String name, Instant at) {}
}
