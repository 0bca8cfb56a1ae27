package dev.berth.server;

import dev.berth.ledger.Inbox;
import dev.berth.ledger.Ledger;
import dev.berth.ledger.LedgerException;
import dev.berth.model.Attempt;
import dev.berth.spi.BackendException;
import dev.berth.spi.JobRuntime;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/** Has the active server answer what a server that stands by cannot, through the database. */
final class PassingOn implements HttpApi.Elsewhere, JobOutputs {
  private static final System.Logger LOG = System.getLogger(PassingOn.class.getName());

  /**
   * How long a client waits: as long as the active server may take to decide, and to be replaced.
   */
  static final Duration ANSWER_WITHIN = Duration.ofSeconds(30);

  /** The header in which a piece of output says where the next one begins. */
  static final String NEXT_OFFSET = "Berth-Next-Offset";

  /** The header that tells whether that was all. */
  static final String ENDED = "Berth-Ended";

  /** What tells requests and answers apart for those who might exchange them. */
  static final String REQUEST = "request";

  static final String ANSWER = "answer";

  private final Inbox inbox;
  private final Keyring keys;
  private final ReentrantLock lock = new ReentrantLock();

  /** Those who wait for an answer. Guarded by the lock. */
  private final Set<Thread> waiting = new HashSet<>();

  /** Guarded by the lock. */
  private boolean closed;

  PassingOn(Inbox inbox, Keyring keys) {
    this.inbox = inbox;
    this.keys = keys;
  }

  @Override
  public Answer ask(Passed.Request request) {
    return ask(Passed.of(request))
        .orElseGet(
            () ->
                Answer.problem(
                    503,
                    "this server is a standby, and the active server has not answered yet; the"
                        + " request may still take effect: repeat it with the same Idempotency-Key",
                    List.of(),
                    Map.of("Retry-After", "1"),
                    request.id()));
  }

  @Override
  public JobRuntime.Output read(Attempt attempt, JobRuntime.Stream stream, long offset, int limit) {
    Answer answer =
        answered(
            new Passed(null, new Passed.OutputQuestion(attempt.id(), stream, offset, limit), null));
    return switch (answer.status()) {
      case 200 ->
          new JobRuntime.Output(
              answer.body(),
              Long.parseLong(String.valueOf(answer.headers().get(NEXT_OFFSET))),
              Boolean.parseBoolean(answer.headers().get(ENDED)));
      case 503 ->
          throw new BackendException.Transient("the active server cannot read it now", null);
      default -> throw new ApiException(answer.status(), problem(answer));
    };
  }

  /** One question for all streams, which waits there: each costs the database three changes. */
  @Override
  public Map<JobRuntime.Stream, JobRuntime.Output> readAll(
      Attempt attempt, Map<JobRuntime.Stream, Long> offsets, int limit) {
    Answer answer =
        answered(new Passed(null, null, new Passed.FollowQuestion(attempt.id(), offsets, limit)));
    return switch (answer.status()) {
      case 200 -> ApiJson.MAPPER.readValue(answer.body(), Passed.Pieces.class).streams();
      case 503 ->
          throw new BackendException.Transient("the active server cannot read it now", null);
      // One of before such questions.
      case 501 -> JobOutputs.super.readAll(attempt, offsets, limit);
      default -> throw new ApiException(answer.status(), problem(answer));
    };
  }

  private Answer answered(Passed question) {
    return ask(question)
        .orElseThrow(
            () -> new BackendException.Transient("the active server has not answered", null));
  }

  private static String problem(Answer answer) {
    return ApiJson.MAPPER.readTree(answer.body()).path("detail").asString();
  }

  @Override
  public boolean isFar(Attempt attempt) {
    return true;
  }

  private Optional<Answer> ask(Passed question) {
    String id = Tokens.random(16);
    String sealed = keys.seal(ApiJson.MAPPER.writeValueAsString(question), REQUEST, id);
    if (!beginWaiting()) {
      return Optional.empty();
    }
    try {
      inbox.ask(Ledger.MAIN_REALM, id, sealed);
      return inbox
          .awaitAnswer(Ledger.MAIN_REALM, id, ANSWER_WITHIN)
          .map(
              answer ->
                  ApiJson.MAPPER.readValue(keys.open(answer, ANSWER, id).reveal(), Answer.class));
    } catch (LedgerException e) {
      if (isWaiting()) {
        throw e;
      }
      // Whoever sent it away interrupted its call of the database.
      LOG.log(System.Logger.Level.DEBUG, "A request was sent away in the middle of a call", e);
      return Optional.empty();
    } finally {
      endWaiting();
      forget(id);
    }
  }

  private boolean beginWaiting() {
    lock.lock();
    try {
      return !closed && waiting.add(Thread.currentThread());
    } finally {
      lock.unlock();
    }
  }

  private boolean isWaiting() {
    lock.lock();
    try {
      return waiting.contains(Thread.currentThread());
    } finally {
      lock.unlock();
    }
  }

  /** Whoever was woken goes on to answer, which an interrupted thread could not. */
  private void endWaiting() {
    lock.lock();
    try {
      boolean sentAway = !waiting.remove(Thread.currentThread());
      if (sentAway && Thread.interrupted()) {
        LOG.log(System.Logger.Level.DEBUG, "A request is not waited for any more");
      }
    } finally {
      lock.unlock();
    }
  }

  /** Whoever waits is told to ask again, because the server that was asked is gone. */
  void sendAway() {
    lock.lock();
    try {
      waiting.forEach(Thread::interrupt);
      waiting.clear();
    } finally {
      lock.unlock();
    }
  }

  /** Ends all waiting, for good. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      sendAway();
    } finally {
      lock.unlock();
    }
  }

  private void forget(String id) {
    try {
      inbox.forget(Ledger.MAIN_REALM, id);
    } catch (LedgerException e) {
      // The active server takes it out when it is old.
      LOG.log(System.Logger.Level.DEBUG, "A request stays in the inbox", e);
    }
  }
}
