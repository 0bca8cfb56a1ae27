package dev.berth.server;

import dev.berth.control.Engine;
import dev.berth.model.Attempt;
import dev.berth.model.Run;
import dev.berth.spi.BackendException;
import dev.berth.spi.Compute;
import dev.berth.spi.JobRuntime;
import dev.berth.spi.Offers;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Gives a run's output: a range of bytes, or everything as it comes. */
final class LogService {
  private static final int LARGEST_RANGE = 8 * 1024 * 1024;
  private static final int CHUNK = 256 * 1024;

  /** How long output may wait to be noticed; nothing tells us that a job wrote. */
  private static final Duration LOOK_EVERY = Duration.ofMillis(50);

  /** The same where each look is a call to a provider, who would not like so many. */
  private static final Duration CALL_EVERY = Duration.ofMillis(500);

  /** How long a provider that does not answer may keep the end of the output from a client. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final Duration SPEAK_EVERY = Duration.ofSeconds(10);

  private final Engine engine;
  private final Store store;

  LogService(Engine engine, Store store) {
    this.engine = engine;
    this.store = store;
  }

  /** Bytes of one stream, exactly as the job wrote them. */
  void range(Call call) {
    JobRuntime.Stream stream = stream(call.path("stream"));
    long offset = call.number("offset", 0, 0, Long.MAX_VALUE);
    int limit = (int) call.number("limit", LARGEST_RANGE, 1, LARGEST_RANGE);
    Attempt attempt = attempt(call);
    JobRuntime.Output output = read(attempt, stream, offset, limit);
    call.responseHeader("Berth-Next-Offset", Long.toString(output.nextOffset()));
    call.responseHeader("Berth-Ended", Boolean.toString(output.ended()));
    call.bytes(output.bytes());
  }

  /**
   * Both streams as server-sent events until the attempt has ended: the data is base64, the id is
   * where to go on.
   */
  void follow(Call call) throws IOException, InterruptedException {
    String from = call.header("Last-Event-ID");
    long[] offsets =
        from == null
            ? new long[] {
              call.number("stdout", 0, 0, Long.MAX_VALUE),
              call.number("stderr", 0, 0, Long.MAX_VALUE)
            }
            : parse(from);
    String run = store.run(call.path("project"), call.path("run")).id();
    String project = call.path("project");
    OutputStream out = call.events();
    out.flush();
    long spoke = System.nanoTime();
    long answered = spoke;
    while (true) {
      // Both are read before the output: what is written after the end cannot exist, and a commit
      // after this number ends the wait.
      long seq = engine.newestEvent();
      Run now = store.run(project, run);
      Attempt attempt = newest(now);
      boolean silent = false;
      try {
        if (attempt != null && attempt.backend() != null && pass(attempt, offsets, out)) {
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
      if (!now.active() && !silent) {
        event(out, "end", offsets, ApiJson.MAPPER.writeValueAsString(store.view(now)));
        return;
      }
      if (System.nanoTime() - spoke > SPEAK_EVERY.toNanos()) {
        // Shows a silent client that we are there, and us whether it still is.
        event(out, "wait", offsets, "");
        spoke = System.nanoTime();
      }
      if (isFar(attempt)) {
        // The pause is kept whatever happens elsewhere, for the provider's sake.
        engine.awaitEvents(Long.MAX_VALUE, CALL_EVERY);
      } else {
        engine.awaitEvents(seq, LOOK_EVERY);
      }
    }
  }

  private boolean isFar(@Nullable Attempt attempt) {
    Compute compute =
        attempt == null || attempt.backend() == null
            ? null
            : engine.backends().get(attempt.backend());
    return compute != null && !(compute.offers() instanceof Offers.OwnMachines);
  }

  /** Sends what is new of both streams; false where nothing was. */
  private boolean pass(Attempt attempt, long[] offsets, OutputStream out) throws IOException {
    boolean moved = false;
    for (JobRuntime.Stream stream : JobRuntime.Stream.values()) {
      int index = stream == JobRuntime.Stream.STDOUT ? 0 : 1;
      JobRuntime.Output output = read(attempt, stream, offsets[index], CHUNK);
      if (output.bytes().length > 0) {
        offsets[index] = output.nextOffset();
        event(
            out,
            stream.name().toLowerCase(Locale.ROOT),
            offsets,
            Base64.getEncoder().encodeToString(output.bytes()));
        moved = true;
      }
    }
    return moved;
  }

  private static void event(OutputStream out, String name, long[] offsets, String data)
      throws IOException {
    String text =
        "event: " + name + "\nid: " + offsets[0] + ":" + offsets[1] + "\ndata: " + data + "\n\n";
    out.write(
        text.getBytes(
            StandardCharsets.US_ASCII.newEncoder().canEncode(text)
                ? StandardCharsets.US_ASCII
                : StandardCharsets.UTF_8));
    out.flush();
  }

  private static long[] parse(String id) {
    String[] parts = id.split(":", -1);
    try {
      if (parts.length == 2) {
        return new long[] {Long.parseLong(parts[0]), Long.parseLong(parts[1])};
      }
    } catch (NumberFormatException e) {
      throw new ApiException(
          400, "the header 'Last-Event-ID' is not one that this stream gave out");
    }
    throw new ApiException(400, "the header 'Last-Event-ID' is not one that this stream gave out");
  }

  private Attempt attempt(Call call) {
    Run run = store.run(call.path("project"), call.path("run"));
    Attempt newest = newest(run);
    if (newest == null || newest.backend() == null) {
      throw new ApiException(
          409, "the run '" + run.name() + "' has not started, so there is no output");
    }
    return newest;
  }

  private @Nullable Attempt newest(Run run) {
    List<Attempt> attempts = store.attempts(run.id());
    return attempts.isEmpty() ? null : attempts.getLast();
  }

  private JobRuntime.Output read(
      Attempt attempt, JobRuntime.Stream stream, long offset, int limit) {
    Compute compute = engine.backends().get(attempt.backend());
    JobRuntime runtime = compute == null ? null : compute.runtime().orElse(null);
    if (runtime == null) {
      throw new ApiException(
          409, "the backend of this run is not there, so its output cannot be read");
    }
    try {
      return runtime.read(attempt.id(), stream, offset, limit);
    } catch (BackendException.Gone e) {
      // The job has no folder: it is about to be made, or it never was.
      return new JobRuntime.Output(new byte[0], offset, !attempt.active());
    }
  }

  private static JobRuntime.Stream stream(String word) {
    return switch (word) {
      case "stdout" -> JobRuntime.Stream.STDOUT;
      case "stderr" -> JobRuntime.Stream.STDERR;
      default ->
          throw new ApiException(
              404, "a run has the streams stdout and stderr, not '" + word + "'");
    };
  }
}
