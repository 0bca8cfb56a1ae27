package dev.berth.server;

import dev.berth.ledger.FencedException;
import dev.berth.ledger.Inbox;
import dev.berth.ledger.Ledger;
import dev.berth.ledger.LedgerException;
import dev.berth.ledger.Tenure;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/** Answers, on the active server, what others pass on. */
final class InboxDesk implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(InboxDesk.class.getName());

  /** So many are worked at at once; the others wait in the inbox. */
  static final int AT_ONCE = 32;

  /** How often it is looked without a call: calls can be missed. */
  private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

  /** Nobody waits for older answers any more. */
  private static final Duration OLDEST = PassingOn.ANSWER_WITHIN;

  private static final Duration CLEAR_AFTER = Duration.ofMinutes(10);
  private static final Duration CLEAR_EVERY = Duration.ofMinutes(1);

  private final Inbox inbox;
  private final Keyring keys;
  private final Supplier<Tenure> tenure;
  private final Function<Passed, Answer> answers;

  /** What is worked at, or was until after the last look began. */
  private final Set<String> inHand = ConcurrentHashMap.newKeySet();

  /** What nobody works at any more, to be left by the next look. */
  private final Queue<String> finished = new ConcurrentLinkedQueue<>();

  /** Each holds a request, which can be large. */
  private final Semaphore workers = new Semaphore(AT_ONCE);

  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread =
      Thread.ofPlatform().name("berth-inbox").daemon().unstarted(this::run);

  /**
   * Sits down at an inbox.
   *
   * @param answers answers what was passed on as if it had come to this server
   */
  InboxDesk(Inbox inbox, Keyring keys, Supplier<Tenure> tenure, Function<Passed, Answer> answers) {
    this.inbox = inbox;
    this.keys = keys;
    this.tenure = tenure;
    this.answers = answers;
  }

  void start() {
    thread.start();
  }

  private void run() {
    long cleared = System.nanoTime() - CLEAR_EVERY.toNanos();
    while (closed.getCount() > 0 && !Thread.currentThread().isInterrupted()) {
      try {
        if (System.nanoTime() - cleared >= CLEAR_EVERY.toNanos()) {
          inbox.clear(tenure.get(), CLEAR_AFTER);
          cleared = System.nanoTime();
        }
        if (!takeNew()) {
          inbox.awaitAsked(LOOK_EVERY);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (FencedException e) {
        // The server that took over answers; the engine ends this one.
        LOG.log(System.Logger.Level.DEBUG, "The inbox is another server's", e);
        pause();
      } catch (LedgerException e) {
        LOG.log(System.Logger.Level.WARNING, "The inbox cannot be read: " + e.getMessage());
        pause();
      } catch (RuntimeException | OutOfMemoryError e) {
        // Without this thread, nothing that is passed on would ever be answered again.
        LOG.log(System.Logger.Level.ERROR, "A look into the inbox failed", e);
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

  /** Begins with what nobody works at yet; says whether there may be more. */
  private boolean takeNew() throws InterruptedException {
    // What is answered from here on may still be among those found, and must not begin again.
    for (String id = finished.poll(); id != null; id = finished.poll()) {
      inHand.remove(id);
    }
    int most = AT_ONCE + inHand.size();
    List<String> found = inbox.unanswered(Ledger.MAIN_REALM, OLDEST, most);
    for (String id : found) {
      if (inHand.contains(id)) {
        continue;
      }
      if (!workers.tryAcquire(LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS)) {
        // Some of them may be too old by now.
        return true;
      }
      inHand.add(id);
      Thread.ofVirtual().name("berth-passed-" + id).start(() -> work(id));
    }
    return found.size() == most;
  }

  private void work(String id) {
    boolean works = true;
    try {
      String text = inbox.findRequest(Ledger.MAIN_REALM, id).orElse(null);
      if (text == null) {
        return;
      }
      Passed passed =
          ApiJson.MAPPER.readValue(keys.open(text, PassingOn.REQUEST, id).reveal(), Passed.class);
      if (passed.follow() != null) {
        // It is small and may wait for long, which must not keep others from being answered.
        workers.release();
        works = false;
      }
      Answer answer = answers.apply(passed);
      inbox.answer(
          tenure.get(),
          id,
          keys.seal(ApiJson.MAPPER.writeValueAsString(answer), PassingOn.ANSWER, id));
    } catch (LedgerException e) {
      // It is handed out again, here or at the server that takes over.
      LOG.log(System.Logger.Level.DEBUG, "A passed request was not answered", e);
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.WARNING, "A passed request cannot be understood", e);
    } finally {
      finished.add(id);
      if (works) {
        workers.release();
      }
    }
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
