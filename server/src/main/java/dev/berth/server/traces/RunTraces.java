package dev.berth.server.traces;

import dev.berth.control.Instruments;
import dev.berth.model.Attempt;
import dev.berth.model.ResourceType;
import dev.berth.model.Run;
import dev.berth.model.api.EventList;
import dev.berth.model.api.EventView;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Shows the lives of runs and the calls to backends as traces. It follows the events, on a thread
 * of its own, and makes the spans of an attempt and of a run when these end, from what the ledger
 * holds: what happened before a restart is told as right as what happened after it.
 */
public final class RunTraces implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(RunTraces.class.getName());
  private static final int PAGE = 500;

  /** So many calls wait to be shown; more are dropped. */
  private static final int MOST_CALLS = 4096;

  /** So many runs and attempts are remembered; what is forgotten is read again. */
  private static final int REMEMBERED = 10_000;

  /** Calls are shown after this time at the latest, where no event comes. */
  private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

  private static final Duration BREATH = Duration.ofMillis(50);
  private static final Duration AGAIN_AFTER = Duration.ofSeconds(5);
  private static final Duration LAST_LOOK = Duration.ofSeconds(2);

  private final Traces traces;
  private final String installation;
  private final BlockingQueue<Instruments.Call> calls = new ArrayBlockingQueue<>(MOST_CALLS);
  private final CountDownLatch closed = new CountDownLatch(1);
  private @Nullable Thread thread;

  // Only the thread touches what follows.
  private long seq;
  private long callNumber;
  private final Map<String, Execution> executions = remembering();
  private final Map<String, Instant> placed = remembering();

  /**
   * Shows nothing yet.
   *
   * @param installation makes ids of traces different from those of other installations
   */
  public RunTraces(Traces traces, String installation) {
    this.traces = traces;
    this.installation = installation;
  }

  private static <T> Map<String, T> remembering() {
    return new LinkedHashMap<>() {
      @Override
      protected boolean removeEldestEntry(Map.Entry<String, T> eldest) {
        return size() > REMEMBERED;
      }
    };
  }

  /** A backend was called. Never waits; safe for any thread. */
  public void called(Instruments.Call call) {
    if (traces.isOn() && call.result() != Instruments.CallResult.PARKED && !calls.offer(call)) {
      traces.drop();
    }
  }

  /** Follows what happens after an event. */
  public void start(RunHistory history, long after) {
    if (traces.isOn()) {
      seq = after;
      thread = Thread.ofVirtual().name("berth-run-traces").start(() -> run(history));
    }
  }

  private void run(RunHistory history) {
    try {
      while (closed.getCount() > 0) {
        try {
          if (look(history) < PAGE && history.await(seq, LOOK_EVERY) <= seq) {
            // Nobody is waited for any more while the server stops.
            closed.await(BREATH.toMillis(), TimeUnit.MILLISECONDS);
          }
        } catch (RuntimeException e) {
          // The ledger is not there for a moment; where it is gone for good, the server ends.
          LOG.log(System.Logger.Level.WARNING, "Runs cannot be traced: " + e.getMessage());
          closed.await(AGAIN_AFTER.toMillis(), TimeUnit.MILLISECONDS);
        }
      }
      while (look(history) == PAGE) {
        LOG.log(System.Logger.Level.DEBUG, "The last events are traced");
      }
    } catch (InterruptedException e) {
      LOG.log(System.Logger.Level.DEBUG, "The traces of runs end");
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.WARNING, "The last runs are not traced: " + e.getMessage());
    }
  }

  /** Shows what is new; returns how many events that were. */
  private int look(RunHistory history) {
    EventList page = history.after(seq, PAGE);
    for (EventView event : page.events()) {
      // First, so that what cannot be shown does not come back for ever.
      seq = event.seq();
      show(history, event);
    }
    seq = Math.max(seq, page.next());
    for (Instruments.Call call = calls.poll(); call != null; call = calls.poll()) {
      show(history, call);
    }
    return page.events().size();
  }

  private void show(RunHistory history, EventView event) {
    switch (event.kind()) {
      case "attempt.placed" -> placed.put(event.entityId(), event.at());
      case "attempt.ended" -> showAttempt(history, event.entityId());
      case "run.execution_ended" -> {
        // Events of an older server do not say which one.
        if (event.data().get("execution") instanceof Number number) {
          String executionId = Run.executionId(event.entityId(), number.intValue());
          history.run(event.entityId()).ifPresent(run -> showRun(history, run, executionId, event));
        }
      }
      case "run.ended" ->
          history
              .run(event.entityId())
              // A schedule that is ended between two times has shown its last one before.
              .filter(
                  run -> !run.policy().isScheduled() || !history.isOver(run.id(), run.executions()))
              .ifPresent(run -> showRun(history, run, run.executionId(), event));
      default -> {}
    }
  }

  private void showAttempt(RunHistory history, String id) {
    Execution execution = execution(history, Run.executionOf(id));
    Instant placedAt = placed.remove(id);
    if (execution.self().sampled()) {
      history
          .attempt(id)
          .ifPresent(
              attempt ->
                  RunSpans.of(
                          execution,
                          attempt,
                          placedAt == null ? placedAt(history, attempt) : placedAt)
                      .forEach(traces::send));
    }
  }

  private static @Nullable Instant placedAt(RunHistory history, Attempt attempt) {
    return history.about("attempt", attempt.id()).stream()
        .filter(event -> event.kind().equals("attempt.placed"))
        .map(EventView::at)
        .findFirst()
        .orElse(null);
  }

  private void showRun(RunHistory history, Run run, String executionId, EventView end) {
    Execution execution = execution(history, executionId);
    if (!execution.self().sampled()) {
      return;
    }
    Instant from =
        run.policy().isScheduled()
            ? history
                .attempt(executionId + "-0-0-1")
                .map(Attempt::submittedAt)
                .orElse(run.submittedAt())
            : run.submittedAt();
    traces.send(RunSpans.of(execution, run, from, end.at(), end.data().get("reason")));
  }

  private void show(RunHistory history, Instruments.Call call) {
    TraceContext parent;
    String about = "call/" + call.resourceId() + "/" + call.from() + "/" + callNumber++;
    if (call.of() == ResourceType.JOB) {
      Execution execution = execution(history, Run.executionOf(call.resourceId()));
      parent = execution.attempt(call.resourceId());
    } else {
      parent =
          history
              .runOfMachine(call.resourceId())
              .map(runId -> execution(history, runId).self())
              .orElse(null);
    }
    String traceId =
        parent == null
            ? TraceContext.traceIdOf(installation + "/" + call.resourceId())
            : parent.traceId();
    boolean sampled = parent == null ? traces.isSampled(traceId) : parent.sampled();
    traces.send(
        RunSpans.of(
            call, new TraceContext(traceId, TraceContext.spanIdOf(about), sampled), parent));
  }

  /** The trace of an execution; the same whoever asks, and whenever. */
  private Execution execution(RunHistory history, String id) {
    Execution known = executions.get(id);
    if (known != null) {
      return known;
    }
    String runId = Run.idOf(id);
    Optional<TraceContext> request =
        history.about("run", runId).stream()
            .filter(event -> event.kind().equals("run.submitted"))
            .findFirst()
            .flatMap(event -> TraceContext.read((String) event.data().get("traceparent")));
    // The times of a schedule may go on for years, which no trace should.
    boolean scheduled = history.run(runId).filter(run -> run.policy().isScheduled()).isPresent();
    String spanId = TraceContext.spanIdOf(installation + "/" + id);
    Execution found;
    if (request.isPresent() && !scheduled) {
      TraceContext parent = request.get();
      found = new Execution(id, parent.span(spanId), parent, List.of());
    } else {
      String traceId = TraceContext.traceIdOf(installation + "/" + id);
      found =
          new Execution(
              id,
              new TraceContext(traceId, spanId, traces.isSampled(traceId)),
              null,
              request.stream().toList());
    }
    executions.put(id, found);
    return found;
  }

  /** Shows what has happened until now, for a few seconds at most. The ledger must be open. */
  @Override
  public void close() {
    closed.countDown();
    Thread running = thread;
    if (running == null) {
      return;
    }
    try {
      if (!running.join(LAST_LOOK)) {
        running.interrupt();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
