package dev.berth.server.traces;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.Attempt;
import dev.berth.model.JobReason;
import dev.berth.model.JobStatus;
import dev.berth.model.Run;
import dev.berth.model.RunPolicy;
import dev.berth.model.RunStatus;
import dev.berth.model.api.EventList;
import dev.berth.model.api.EventView;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RunTracesTest {
  private static final Instant NOON = Instant.parse("2026-11-01T12:00:00Z");
  private static final String REQUEST = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

  /** What a ledger would say; the numbers of events are their places. */
  private static final class Told implements RunHistory {
    private final List<EventView> events = new ArrayList<>();
    private final Map<String, Run> runs = new HashMap<>();
    private final Map<String, Attempt> attempts = new HashMap<>();

    void event(Instant at, String kind, String id, Map<String, Object> data) {
      String about = kind.substring(0, kind.indexOf('.'));
      events.add(new EventView(events.size() + 1, at, kind, about, id, "main", "server", data));
    }

    @Override
    public EventList after(long seq, int limit) {
      List<EventView> page = events.stream().filter(one -> one.seq() > seq).limit(limit).toList();
      return new EventList(page, page.isEmpty() ? seq : page.getLast().seq());
    }

    @Override
    public long await(long seq, Duration atMost) {
      return events.size();
    }

    @Override
    public List<EventView> about(String kind, String id) {
      return events.stream()
          .filter(one -> one.entityKind().equals(kind) && one.entityId().equals(id))
          .toList();
    }

    @Override
    public boolean isOver(String runId, int execution) {
      return about("run", runId).stream()
          .anyMatch(event -> Integer.valueOf(execution).equals(event.data().get("execution")));
    }

    @Override
    public Optional<Run> run(String id) {
      return Optional.ofNullable(runs.get(id));
    }

    @Override
    public Optional<Attempt> attempt(String id) {
      return Optional.ofNullable(attempts.get(id));
    }

    @Override
    public Optional<String> runOfMachine(String id) {
      return Optional.empty();
    }
  }

  private static Run run(RunStatus status, int executions, List<String> cron) {
    RunPolicy usual = RunPolicy.USUAL;
    RunPolicy policy =
        new RunPolicy(
            0, usual.retry(), usual.startupOrder(), usual.stopCriteria(), List.of(), cron);
    return new Run(
        "r1",
        "main",
        "ann",
        "nightly",
        "task",
        Map.of(),
        policy,
        status,
        null,
        null,
        0,
        "local",
        0.0,
        0,
        NOON,
        null,
        executions,
        null,
        null,
        null);
  }

  private static Attempt attempt(
      String id, Instant submitted, @Nullable Instant started, Instant finished) {
    return new Attempt(
        id,
        "main",
        "r1",
        id.substring(0, id.length() - 2),
        1,
        "p",
        JobStatus.DONE,
        JobReason.DONE_BY_RUNNER,
        null,
        0,
        "m",
        "local",
        0,
        submitted,
        started,
        finished,
        null);
  }

  private static List<Span> spans(Told told, long after) {
    SentSpans collector = new SentSpans(false);
    try (Traces traces = Traces.to(collector, 1, InstantSource.fixed(NOON));
        RunTraces runs = new RunTraces(traces, "here")) {
      runs.start(told, after);
    }
    return collector.taken;
  }

  private static Told nightly() {
    Told told = new Told();
    told.runs.put("r1", run(RunStatus.TERMINATED, 2, List.of("0 0 * * *")));
    told.event(NOON, "run.submitted", "r1", Map.of("traceparent", REQUEST));
    for (int number = 1; number <= 2; number++) {
      String id = Run.executionId("r1", number) + "-0-0-1";
      Instant at = NOON.plusSeconds(100L * number);
      told.attempts.put(id, attempt(id, at, at.plusSeconds(2), at.plusSeconds(9)));
      told.event(at.plusSeconds(1), "attempt.placed", id, Map.of());
      told.event(at.plusSeconds(9), "attempt.ended", id, Map.of());
      told.event(
          at.plusSeconds(9),
          "run.execution_ended",
          "r1",
          Map.of("reason", "all_jobs_done", "execution", number));
    }
    told.event(NOON.plusSeconds(500), "run.ended", "r1", Map.of("reason", "stopped_by_user"));
    return told;
  }

  @Test
  void eachTimeOfAScheduleIsATraceThatNamesTheRequest() {
    List<Span> spans = spans(nightly(), 0);
    List<Span> lives = spans.stream().filter(span -> span.name().equals("run")).toList();
    // The end between two times shows none of them again.
    assertThat(lives).hasSize(2);
    assertThat(lives).extracting(span -> span.self().traceId()).doesNotHaveDuplicates();
    assertThat(lives)
        .allSatisfy(
            life -> {
              assertThat(life.parent()).isNull();
              assertThat(life.links()).containsExactly(TraceContext.read(REQUEST).orElseThrow());
            });
    assertThat(lives)
        .extracting(Span::from)
        .containsExactly(NOON.plusSeconds(100), NOON.plusSeconds(200));
    assertThat(lives)
        .extracting(Span::to)
        .containsExactly(NOON.plusSeconds(109), NOON.plusSeconds(209));
  }

  @Test
  void whoeverComesInTheMiddleSaysTheSame() {
    Told told = nightly();
    List<Span> all = spans(told, 0);
    for (long seen = 0; seen < told.events.size(); seen++) {
      assertThat(all).as("after event " + seen).containsAll(spans(told, seen));
    }
  }

  @Test
  void clocksOfOtherMachinesDoNotTurnTimeBack() {
    Told told = new Told();
    told.runs.put("r1", run(RunStatus.DONE, 1, List.of()));
    // Started before it was asked for, says the machine.
    told.attempts.put(
        "r1-0-0-1", attempt("r1-0-0-1", NOON, NOON.minusSeconds(60), NOON.plusSeconds(5)));
    told.event(NOON.plusSeconds(1), "attempt.placed", "r1-0-0-1", Map.of());
    told.event(NOON.plusSeconds(5), "attempt.ended", "r1-0-0-1", Map.of());
    told.event(NOON.plusSeconds(5), "run.ended", "r1", Map.of("reason", "all_jobs_done"));
    List<Span> spans = spans(told, 0);
    assertThat(spans)
        .extracting(Span::name)
        .containsExactly("attempt", "queue", "provision", "execute", "run");
    assertThat(spans.get(2).from()).isEqualTo(spans.get(2).to()).isEqualTo(NOON.plusSeconds(1));
    assertThat(spans.get(3).from()).isEqualTo(NOON.plusSeconds(1));
    assertThat(spans).allSatisfy(span -> assertThat(span.to()).isAfterOrEqualTo(span.from()));
  }

  @Test
  void anAttemptWithoutAPlaceWasInLineAllTheTime() {
    Told told = new Told();
    told.runs.put("r1", run(RunStatus.FAILED, 1, List.of()));
    told.attempts.put("r1-0-0-1", attempt("r1-0-0-1", NOON, null, NOON.plusSeconds(5)));
    told.event(NOON.plusSeconds(5), "attempt.ended", "r1-0-0-1", Map.of());
    assertThat(spans(told, 0)).extracting(Span::name).containsExactly("attempt", "queue");
  }
}
