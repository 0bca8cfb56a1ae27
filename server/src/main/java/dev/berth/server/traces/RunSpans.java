package dev.berth.server.traces;

import dev.berth.control.Instruments;
import dev.berth.model.Attempt;
import dev.berth.model.BackendKey;
import dev.berth.model.JobStatus;
import dev.berth.model.ResourceType;
import dev.berth.model.Run;
import dev.berth.model.RunReason;
import dev.berth.model.RunStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes the spans of runs from what the ledger says of them. Pure. */
final class RunSpans {
  private RunSpans() {}

  /**
   * The whole execution.
   *
   * @param reason why it ended, as its event says it; the run itself may have gone on since
   */
  static Span of(Execution execution, Run run, Instant from, Instant to, @Nullable Object reason) {
    Optional<RunReason> why =
        Arrays.stream(RunReason.values()).filter(one -> one.word().equals(reason)).findFirst();
    Map<String, Object> attributes = new LinkedHashMap<>();
    attributes.put("berth.run.id", run.id());
    attributes.put("berth.run.name", run.name());
    attributes.put("berth.run.type", run.type());
    attributes.put("berth.project", run.project());
    why.ifPresent(
        known -> {
          attributes.put("berth.status", known.end().word());
          attributes.put("berth.reason", known.word());
        });
    return new Span(
            execution.self(),
            execution.parent(),
            "run",
            Span.Kind.INTERNAL,
            from,
            to,
            attributes,
            why.filter(known -> known.end() == RunStatus.FAILED).isPresent())
        .linkedTo(execution.links());
  }

  /**
   * An attempt, with its time in line, that until its start, and that at work.
   *
   * @param placedAt null where it never had a place
   */
  static List<Span> of(Execution execution, Attempt attempt, @Nullable Instant placedAt) {
    Instant from = attempt.submittedAt();
    Instant to = later(from, attempt.finishedAt());
    Instant placed = placedAt == null ? null : within(from, placedAt, to);
    Instant started =
        attempt.startedAt() == null
            ? null
            : within(placed == null ? from : placed, attempt.startedAt(), to);
    List<Span> spans = new ArrayList<>();
    spans.add(
        new Span(
            execution.attempt(attempt.id()),
            execution.self(),
            "attempt",
            Span.Kind.INTERNAL,
            from,
            to,
            attributes(attempt),
            attempt.status() == JobStatus.FAILED));
    if (placed != null || started == null) {
      spans.add(phase(execution, attempt, "queue", from, placed == null ? to : placed));
    }
    if (placed != null) {
      spans.add(phase(execution, attempt, "provision", placed, started == null ? to : started));
    }
    if (started != null) {
      spans.add(phase(execution, attempt, "execute", started, to));
    }
    return spans;
  }

  private static Map<String, Object> attributes(Attempt attempt) {
    Map<String, Object> attributes = new LinkedHashMap<>();
    attributes.put("berth.run.id", attempt.runId());
    attributes.put("berth.attempt.id", attempt.id());
    attributes.put("berth.attempt.number", attempt.number());
    attributes.put("berth.node", Attempt.numberOf(attempt.jobId()));
    put(attributes, "berth.backend", BackendKey.nameOrNull(attempt.backend()));
    attributes.put("berth.status", attempt.status().word());
    put(attributes, "berth.reason", attempt.reason() == null ? null : attempt.reason().word());
    put(attributes, "berth.exit_code", attempt.exitCode());
    return attributes;
  }

  private static Span phase(
      Execution execution, Attempt attempt, String name, Instant from, Instant to) {
    return new Span(
        execution.phase(attempt.id(), name),
        execution.attempt(attempt.id()),
        name,
        Span.Kind.INTERNAL,
        from,
        to,
        Map.of("berth.attempt.id", attempt.id()),
        false);
  }

  /**
   * A call to a backend.
   *
   * @param self its trace, and a span that is not used
   * @param parent null where the trace has no other spans than those of calls
   */
  static Span of(Instruments.Call call, TraceContext self, @Nullable TraceContext parent) {
    String operation = call.operation().name().toLowerCase(Locale.ROOT);
    Map<String, Object> attributes = new LinkedHashMap<>();
    attributes.put("berth.backend", BackendKey.name(call.backend()));
    attributes.put("berth.operation", operation);
    attributes.put("berth.resource.type", call.of().name().toLowerCase(Locale.ROOT));
    attributes.put(
        call.of() == ResourceType.JOB ? "berth.attempt.id" : "berth.resource.id",
        call.resourceId());
    attributes.put("berth.try", call.number());
    attributes.put("berth.result", call.result().word());
    boolean failed =
        switch (call.result()) {
          case DONE, SOLD_OUT, PARKED -> false;
          case IN_DOUBT, TRANSIENT, FAILED -> true;
        };
    return new Span(
        self, parent, operation, Span.Kind.CLIENT, call.from(), call.to(), attributes, failed);
  }

  private static void put(Map<String, Object> attributes, String name, @Nullable Object value) {
    if (value != null) {
      attributes.put(name, value);
    }
  }

  private static Instant later(Instant first, @Nullable Instant second) {
    return second == null || second.isBefore(first) ? first : second;
  }

  /** The clock of the machine may say anything; what is shown follows one after the other. */
  private static Instant within(Instant from, Instant at, Instant to) {
    Instant earliest = later(from, at);
    return earliest.isAfter(to) ? to : earliest;
  }
}
