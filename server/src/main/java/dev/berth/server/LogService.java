package dev.berth.server;

import dev.berth.model.Attempt;
import dev.berth.model.Run;
import dev.berth.spi.BackendException;
import dev.berth.spi.JobRuntime;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.function.Predicate;

/** Gives a run's output: a range of bytes, or everything as it comes. */
final class LogService {
  static final int LARGEST_RANGE = 8 * 1024 * 1024;
  private static final int CHUNK = 256 * 1024;

  /** How long output may wait to be noticed; nothing tells us that a job wrote. */
  static final Duration LOOK_EVERY = Duration.ofMillis(50);

  /** The same where each look is a call to a provider, who would not like so many. */
  static final Duration CALL_EVERY = Duration.ofMillis(500);

  /** How long a provider that does not answer may keep the end of the output from a client. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final Duration SPEAK_EVERY = Duration.ofSeconds(10);

  private final Happenings happenings;
  private final JobOutputs outputs;
  private final Store store;
  private final LongConsumer served;

  /**
   * Gives output.
   *
   * @param served hears how many bytes were given
   */
  LogService(Happenings happenings, JobOutputs outputs, Store store, LongConsumer served) {
    this.served = served;
    this.happenings = happenings;
    this.outputs = outputs;
    this.store = store;
  }

  /** Bytes of one stream of one node, as the job wrote them but for secrets. */
  void range(Call call) {
    JobRuntime.Stream stream = stream(call.path("stream"));
    long offset = call.number("offset", 0, 0, Long.MAX_VALUE);
    int limit = (int) call.number("limit", LARGEST_RANGE, 1, LARGEST_RANGE);
    Attempt attempt = attempt(call);
    JobRuntime.Output output = outputs.read(attempt, stream, offset, limit);
    call.responseHeader(PassingOn.NEXT_OFFSET, Long.toString(output.nextOffset()));
    call.responseHeader(PassingOn.ENDED, Boolean.toString(output.ended()));
    served.accept(output.bytes().length);
    call.bytes(output.bytes());
  }

  /**
   * Both streams of one node as server-sent events until the run has ended, one attempt after the
   * other: the data is base64, the id is where to go on.
   */
  void follow(Call call) throws IOException, InterruptedException {
    String from = call.header("Last-Event-ID");
    LogCursor cursor = from == null ? new LogCursor() : LogCursor.parse(from);
    Run first = store.run(call.path("project"), call.path("run"));
    int node = node(call, first);
    OutputStream out = call.events();
    out.flush();
    long spoke = System.nanoTime();
    long answered = spoke;
    // Who may not read any more must not read on.
    while (call.isStillAllowed()) {
      // Both are read before the output: what is written after the end cannot exist, and a commit
      // after this number ends the wait.
      long seq = happenings.newest();
      Run now = store.run(first.project(), first.id());
      List<Attempt> attempts = store.attempts(now.id(), node);
      Attempt attempt = cursor.current(attempts).orElse(null);
      boolean silent = false;
      try {
        if (attempt != null && attempt.backend() != null && pass(attempt, cursor, out)) {
          spoke = System.nanoTime();
          answered = spoke;
          continue;
        }
        answered = System.nanoTime();
      } catch (BackendException e) {
        if (!e.isRetryable() || System.nanoTime() - answered > PATIENCE.toNanos()) {
          throw e;
        }
        silent = true;
      }
      if (!silent && cursor.moveOn(attempts)) {
        Attempt next = cursor.current(attempts).orElseThrow();
        event(out, "attempt", cursor, Integer.toString(next.number()));
        continue;
      }
      if (!now.active() && !silent) {
        event(out, "end", cursor, ApiJson.MAPPER.writeValueAsString(store.view(now)));
        return;
      }
      if (System.nanoTime() - spoke > SPEAK_EVERY.toNanos()) {
        // Shows a silent client that we are there, and us whether it still is.
        event(out, "wait", cursor, "");
        spoke = System.nanoTime();
      }
      if (attempt != null && attempt.backend() != null && outputs.isFar(attempt)) {
        // The pause is kept whatever happens elsewhere, for the provider's sake.
        happenings.await(Long.MAX_VALUE, CALL_EVERY);
      } else {
        happenings.await(seq, LOOK_EVERY);
      }
    }
  }

  /** Sends what is new of both streams; false where nothing was. */
  private boolean pass(Attempt attempt, LogCursor cursor, OutputStream out) throws IOException {
    boolean moved = false;
    for (Map.Entry<JobRuntime.Stream, JobRuntime.Output> piece :
        outputs.readAll(attempt, cursor.offsets(), CHUNK).entrySet()) {
      JobRuntime.Stream stream = piece.getKey();
      JobRuntime.Output output = piece.getValue();
      if (output.bytes().length > 0) {
        cursor.advance(stream, output.nextOffset());
        served.accept(output.bytes().length);
        event(
            out,
            stream.name().toLowerCase(Locale.ROOT),
            cursor,
            Base64.getEncoder().encodeToString(output.bytes()));
        moved = true;
      }
    }
    return moved;
  }

  private static void event(OutputStream out, String name, LogCursor cursor, String data)
      throws IOException {
    String text = "event: " + name + "\nid: " + cursor.id() + "\ndata: " + data + "\n\n";
    out.write(
        text.getBytes(
            StandardCharsets.US_ASCII.newEncoder().canEncode(text)
                ? StandardCharsets.US_ASCII
                : StandardCharsets.UTF_8));
    out.flush();
  }

  /** The node that a call is about, which the run has. */
  static int node(Call call, Run run) {
    int node = (int) call.number("node", 0, 0, Integer.MAX_VALUE);
    int nodes = Store.nodes(run.configuration());
    if (node >= nodes) {
      throw new ApiException(
          404,
          nodes == 1
              ? "the run '" + run.name() + "' has one node, whose number is 0"
              : "the run '%s' has %d nodes, from 0 to %d".formatted(run.name(), nodes, nodes - 1));
    }
    return node;
  }

  private Attempt attempt(Call call) {
    Run run = store.run(call.path("project"), call.path("run"));
    int asked = (int) call.number("attempt", 0, 0, Integer.MAX_VALUE);
    List<Attempt> attempts =
        store.attempts(run.id(), node(call, run)).stream()
            .filter(attempt -> asked == 0 || attempt.number() == asked)
            .toList();
    if (attempts.isEmpty() && asked > 0) {
      throw new ApiException(404, "the run '" + run.name() + "' has no attempt " + asked);
    }
    // While a retry waits for its turn or its place, the output is that of the attempt before it.
    return newest(attempts, attempt -> attempt.backend() != null && attempt.startedAt() != null)
        .or(() -> newest(attempts, attempt -> attempt.backend() != null))
        .orElseThrow(
            () ->
                new ApiException(
                    409,
                    asked > 0
                        ? "attempt %d of the run '%s' was never placed, so it has no output"
                            .formatted(asked, run.name())
                        : "the run '" + run.name() + "' has no output yet: it has not started"));
  }

  private static Optional<Attempt> newest(List<Attempt> attempts, Predicate<Attempt> wanted) {
    return attempts.stream().filter(wanted).reduce((_, later) -> later);
  }

  private static JobRuntime.Stream stream(String word) {
    return switch (word) {
      case "stdout" -> JobRuntime.Stream.STDOUT;
      case "stderr" -> JobRuntime.Stream.STDERR;
      default ->
          throw new ApiException(404, "expected the stream stdout or stderr, not '" + word + "'");
    };
  }
}
