package dev.berth.server;

import dev.berth.control.Codec;
import dev.berth.control.Engine;
import dev.berth.ledger.FencedException;
import dev.berth.ledger.Inbox;
import dev.berth.ledger.Ledger;
import dev.berth.ledger.LedgerException;
import dev.berth.model.Attempt;
import dev.berth.spi.JobRuntime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Answers, on the active server, what others pass on. */
final class InboxDesk implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(InboxDesk.class.getName());
  private static final int AT_ONCE = 32;

  /** How often it is looked without a call: calls can be missed. */
  private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

  /** Nobody waits for older answers any more. */
  private static final Duration OLDEST = PassingOn.ANSWER_WITHIN;

  private static final Duration CLEAR_AFTER = Duration.ofMinutes(10);
  private static final Duration CLEAR_EVERY = Duration.ofMinutes(1);

  private final Inbox inbox;
  private final Keyring keys;
  private final Engine engine;
  private final Ledger ledger;
  private final JobOutputs outputs;
  private final Function<Passed.Request, Answer> requests;
  private final Set<String> inHand = ConcurrentHashMap.newKeySet();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread =
      Thread.ofPlatform().name("berth-inbox").daemon().unstarted(this::run);

  /**
   * Sits down at an inbox.
   *
   * @param requests answers a request as if it had come to this server
   */
  InboxDesk(
      Inbox inbox,
      Keyring keys,
      Engine engine,
      Ledger ledger,
      JobOutputs outputs,
      Function<Passed.Request, Answer> requests) {
    this.inbox = inbox;
    this.keys = keys;
    this.engine = engine;
    this.ledger = ledger;
    this.outputs = outputs;
    this.requests = requests;
  }

  void start() {
    thread.start();
  }

  private void run() {
    long cleared = System.nanoTime() - CLEAR_EVERY.toNanos();
    while (closed.getCount() > 0 && !Thread.currentThread().isInterrupted()) {
      try {
        if (System.nanoTime() - cleared >= CLEAR_EVERY.toNanos()) {
          inbox.clear(engine.tenure(), CLEAR_AFTER);
          cleared = System.nanoTime();
        }
        if (takeNew() < AT_ONCE) {
          inbox.awaitAsked(LOOK_EVERY);
        }
      } catch (FencedException e) {
        // The server that took over answers; the engine ends this one.
        LOG.log(System.Logger.Level.DEBUG, "The inbox is another server's", e);
        pause();
      } catch (LedgerException e) {
        LOG.log(System.Logger.Level.WARNING, "The inbox cannot be read: " + e.getMessage());
        pause();
      }
    }
  }

  private void pause() {
    try {
      if (closed.await(LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.log(System.Logger.Level.DEBUG, "The inbox is left");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Begins with what nobody works at yet; says how much that was. */
  private int takeNew() {
    int found = 0;
    for (Inbox.Asked asked : inbox.unanswered(Ledger.MAIN_REALM, OLDEST, AT_ONCE + inHand.size())) {
      if (inHand.add(asked.id())) {
        found++;
        Thread.ofVirtual().name("berth-passed-" + asked.id()).start(() -> work(asked));
      }
    }
    return found;
  }

  private void work(Inbox.Asked asked) {
    try {
      Passed passed =
          ApiJson.MAPPER.readValue(
              keys.open(asked.request(), PassingOn.REQUEST, asked.id()).reveal(), Passed.class);
      Answer answer = answer(passed);
      inbox.answer(
          engine.tenure(),
          asked.id(),
          keys.seal(ApiJson.MAPPER.writeValueAsString(answer), PassingOn.ANSWER, asked.id()));
    } catch (LedgerException e) {
      // It is handed out again, here or at the server that takes over.
      LOG.log(System.Logger.Level.DEBUG, "A passed request was not answered", e);
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.WARNING, "A passed request cannot be understood", e);
    } finally {
      inHand.remove(asked.id());
    }
  }

  private Answer answer(Passed passed) {
    Passed.Request request = passed.request();
    Passed.OutputQuestion question = passed.output();
    if (request != null) {
      return requests.apply(request);
    }
    if (question == null) {
      return Answer.problem(
          501, "this server does not know the request", List.of(), Map.of(), null);
    }
    try {
      JobRuntime.Output output =
          outputs.read(
              attempt(question.attemptId()),
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

  private Attempt attempt(String id) {
    return Identifiers.key("attempt", id)
        .flatMap(key -> ledger.find(Ledger.MAIN_REALM, key))
        .map(stored -> (Attempt) Codec.entity(stored.row()))
        .orElseThrow(() -> new ApiException(404, "the attempt " + id + " was deleted"));
  }

  @Override
  public void close() {
    closed.countDown();
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
