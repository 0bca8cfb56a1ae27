package dev.berth.server;

import dev.berth.control.Codec;
import dev.berth.ledger.Ledger;
import dev.berth.model.Attempt;
import dev.berth.spi.JobRuntime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.function.Function;

/** Reads, on the active server, output that others ask for. */
final class PassedOutputs {
  /**
   * How long a follower's question waits for something new: each one costs transactions, and who
   * may not read any more must not read on for long.
   */
  static final Duration LONGEST_WAIT = Duration.ofSeconds(3);

  /** More than these are answered at once. */
  private static final int MOST_WAITING = 1_000;

  private final Function<String, Attempt> attempts;
  private final JobOutputs outputs;
  private final Duration longestWait;
  private final Semaphore waiting = new Semaphore(MOST_WAITING);

  /**
   * Reads for others.
   *
   * @param attempts finds an attempt by its id, as it is now
   */
  PassedOutputs(Function<String, Attempt> attempts, JobOutputs outputs, Duration longestWait) {
    this.attempts = attempts;
    this.outputs = outputs;
    this.longestWait = longestWait;
  }

  /** Those of a server. */
  static PassedOutputs of(Ledger ledger, JobOutputs outputs) {
    return new PassedOutputs(id -> attempt(ledger, id), outputs, LONGEST_WAIT);
  }

  Answer answer(Passed.OutputQuestion question) {
    try {
      JobRuntime.Output output =
          outputs.read(
              attempts.apply(question.attemptId()),
              question.stream(),
              question.offset(),
              question.limit());
      return new Answer(
          200,
          Map.of(
              PassingOn.NEXT_OFFSET,
              Long.toString(output.nextOffset()),
              PassingOn.ENDED,
              Boolean.toString(output.ended())),
          "application/octet-stream",
          output.bytes());
    } catch (RuntimeException e) {
      return Answer.of(e, "the output of " + question.attemptId(), null);
    }
  }

  /** Answers when something new is there, when nothing will come any more, or after a while. */
  Answer answer(Passed.FollowQuestion question) {
    boolean waits = waiting.tryAcquire();
    try {
      return Answer.json(200, awaitNew(question, waits ? longestWait : Duration.ZERO));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Answer.problem(503, "the server is stopping", List.of(), Map.of(), null);
    } catch (RuntimeException e) {
      return Answer.of(e, "the output of " + question.attemptId(), null);
    } finally {
      if (waits) {
        waiting.release();
      }
    }
  }

  private Passed.Pieces awaitNew(Passed.FollowQuestion question, Duration atMost)
      throws InterruptedException {
    long end = System.nanoTime() + atMost.toNanos();
    while (true) {
      // Before the output: what is written after the end cannot exist.
      Attempt attempt = attempts.apply(question.attemptId());
      Map<JobRuntime.Stream, JobRuntime.Output> pieces =
          outputs.readAll(attempt, question.offsets(), question.limit());
      boolean isNew = pieces.values().stream().anyMatch(piece -> piece.bytes().length > 0);
      Duration pause = outputs.isFar(attempt) ? LogService.CALL_EVERY : LogService.LOOK_EVERY;
      if (isNew || !attempt.active() || System.nanoTime() + pause.toNanos() > end) {
        return new Passed.Pieces(pieces);
      }
      Thread.sleep(pause);
    }
  }

  private static Attempt attempt(Ledger ledger, String id) {
    return Identifiers.key("attempt", id)
        .flatMap(key -> ledger.find(Ledger.MAIN_REALM, key))
        .map(stored -> (Attempt) Codec.entity(stored.row()))
        .orElseThrow(() -> new ApiException(404, "the attempt " + id + " was deleted"));
  }
}
