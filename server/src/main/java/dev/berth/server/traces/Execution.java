package dev.berth.server.traces;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The trace of one execution of a run: of the only one, or of one time of a schedule.
 *
 * @param id the run's, or one that begins with it
 * @param self its first span
 * @param parent the request that submitted the run, where it is known and the trace is its own
 * @param links the same request, where the trace is another one
 */
record Execution(
    String id, TraceContext self, @Nullable TraceContext parent, List<TraceContext> links) {
  Execution {
    links = List.copyOf(links);
  }

  /** The span of an attempt. */
  TraceContext attempt(String attemptId) {
    return self.span(TraceContext.spanIdOf(attemptId));
  }

  /** The span of a part of an attempt. */
  TraceContext phase(String attemptId, String name) {
    return self.span(TraceContext.spanIdOf(attemptId + "/" + name));
  }
}
