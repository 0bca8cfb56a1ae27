package dev.berth.server.webhooks;

import dev.berth.control.LogScope;
import dev.berth.model.api.EventList;
import dev.berth.model.api.EventView;
import dev.berth.model.config.ServerConfiguration.Webhook;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Follows the events of one webhook, on a thread of its own: a slow one holds up nobody else. */
final class HookSender implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(HookSender.class.getName());
  private static final int PAGE = 100;
  private static final Duration LOOK_EVERY = Duration.ofSeconds(30);

  /** How much may be sent twice after a crash. */
  private static final Duration KEEP_EVERY = Duration.ofSeconds(1);

  /** So many events that are not for it are passed before that is kept. */
  private static final long KEEP_AFTER = 10_000;

  private static final Duration AGAIN_AFTER = Duration.ofSeconds(5);

  private final Webhook hook;
  private final HookFilter filter;
  private final HookEvents events;
  private final HookPost post;
  private final Patience patience;
  private final HookCounts counts;
  private final InstantSource clock;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread;

  /** How far it is, and how far that is kept. Only the thread touches them. */
  private long seq;

  private long kept;
  private Instant keptAt = Instant.EPOCH;

  /** Why the event in turn could not be sent; null where all is well. Written by the thread. */
  private volatile @Nullable String trouble;

  HookSender(
      Webhook hook,
      HookEvents events,
      HookPost post,
      Patience patience,
      HookCounts counts,
      InstantSource clock) {
    this.hook = hook;
    this.filter = new HookFilter(hook);
    this.events = events;
    this.post = post;
    this.patience = patience;
    this.counts = counts;
    this.clock = clock;
    this.thread =
        Thread.ofVirtual()
            .name("berth-webhook-" + hook.name())
            .unstarted(() -> LogScope.run(Map.of("webhook", hook.name()), this::run));
  }

  Webhook hook() {
    return hook;
  }

  @Nullable String trouble() {
    return trouble;
  }

  void start() {
    thread.start();
  }

  private void run() {
    boolean begun = false;
    try {
      while (closed.getCount() > 0) {
        try {
          if (!begun) {
            seq = events.begin(hook.name()).seq();
            kept = seq;
            begun = true;
          }
          follow();
        } catch (RuntimeException e) {
          // The ledger is not there for a moment; where it is gone for good, the server ends.
          LOG.log(System.Logger.Level.WARNING, "The events could not be followed", e);
          closed.await(AGAIN_AFTER.toMillis(), TimeUnit.MILLISECONDS);
        }
      }
    } catch (InterruptedException e) {
      LOG.log(System.Logger.Level.DEBUG, "The webhook ends");
    }
  }

  private void follow() throws InterruptedException {
    EventList page = events.after(seq, PAGE);
    noteMissed(page, events.trimmed());
    for (EventView event : page.events()) {
      if (filter.matches(event)) {
        long skipped = deliver(event) ? 0 : 1;
        seq = event.seq();
        if (skipped > 0 || !clock.instant().isBefore(keptAt.plus(KEEP_EVERY))) {
          keep(skipped);
        }
      }
      seq = event.seq();
      counts.newSeq(hook.name(), seq);
    }
    seq = Math.max(seq, page.next());
    counts.newSeq(hook.name(), seq);
    boolean sent = page.events().stream().anyMatch(filter::matches);
    if ((sent && kept < seq) || seq - kept >= KEEP_AFTER) {
      keep(0);
    }
    if (page.events().size() < PAGE) {
      events.await(seq, LOOK_EVERY);
    }
  }

  /**
   * Says where events are not kept any more that were never sent, and goes on after them. They may
   * have been deleted after the page was read, which then has them.
   */
  private void noteMissed(EventList page, long trimmed) throws InterruptedException {
    boolean inPage = !page.events().isEmpty() && page.events().getFirst().seq() <= trimmed;
    if (trimmed > seq && !inPage) {
      LOG.log(
          System.Logger.Level.ERROR,
          "The events from {0} to {1} were deleted before the webhook was told of them",
          seq + 1,
          trimmed);
      long missed = trimmed - seq;
      seq = trimmed;
      keep(missed);
    }
  }

  private void keep(long skipped) throws InterruptedException {
    events.keep(hook.name(), seq, skipped);
    kept = seq;
    keptAt = clock.instant();
  }

  /** Tries until it is sent, or for so long that it is given up. */
  private boolean deliver(EventView event) throws InterruptedException {
    Instant giveUpAt = clock.instant().plus(patience.giveUpAfter());
    for (int failures = 1; ; failures++) {
      try {
        post.send(hook, event);
        trouble = null;
        counts.sent(hook.name());
        return true;
      } catch (HookPost.NotSentException e) {
        counts.failed(hook.name());
        String sentence = String.valueOf(e.getMessage());
        if (!sentence.equals(trouble)) {
          LOG.log(System.Logger.Level.WARNING, "The webhook is tried again: " + sentence);
        }
        trouble = sentence;
      }
      Duration pause = patience.pause(failures);
      if (clock.instant().plus(pause).isAfter(giveUpAt)) {
        counts.skipped(hook.name());
        LOG.log(System.Logger.Level.ERROR, "The event " + event.seq() + " is skipped: " + trouble);
        return false;
      }
      if (closed.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new InterruptedException("closed");
      }
    }
  }

  /** Ends it; what is under way is sent again by whoever goes on. */
  @Override
  public void close() {
    closed.countDown();
    thread.interrupt();
    if (thread.getState() != Thread.State.NEW) {
      try {
        thread.join(patience.answerWithin());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Whether it is the same as in a file. */
  boolean isFor(List<Webhook> wanted) {
    return wanted.contains(hook);
  }
}
