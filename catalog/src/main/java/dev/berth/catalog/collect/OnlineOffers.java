package dev.berth.catalog.collect;

import dev.berth.catalog.SnapshotContent;
import dev.berth.catalog.gate.Cleaning;
import dev.berth.catalog.gate.Medians;
import dev.berth.model.offers.CatalogItem;
import dev.berth.model.offers.OfferFilter;
import dev.berth.spi.OfferSource;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Asks online sources, all at the same time, and remembers what they said. One question to a source
 * is asked once at a time, however many wait for its answer. A source that fails or is too slow
 * gives its last answer to the same question, or else to the question for everything; a late answer
 * is kept for the next who asks.
 *
 * <p>Threads: {@code lock} guards the memory and is never held while a source is asked. Each
 * question runs in a virtual thread of its own, which ends with its source's answer, or by
 * interruption when it is given up or this is closed.
 */
public final class OnlineOffers implements AutoCloseable {
  /** So many questions are remembered; those not asked for longest are forgotten. */
  private static final int REMEMBERED = 512;

  private final List<OfferSource> sources;
  private final InstantSource clock;
  private final Limits limits;
  private final Function<List<CatalogItem>, Medians> usual;
  private final ReentrantLock lock = new ReentrantLock();

  /** Guarded by lock. */
  private final Map<Question, Memory> memories = new LinkedHashMap<>(16, 0.75f, true);

  /** Guarded by lock. */
  private boolean closed;

  /**
   * How long things may take.
   *
   * @param deadline how long a query waits for an answer
   * @param fresh how long an answer is given again without asking
   * @param pause how long a source that failed is left alone
   * @param giveUp when a question without an answer is ended and may be asked again
   */
  public record Limits(Duration deadline, Duration fresh, Duration pause, Duration giveUp) {
    public static final Limits USUAL =
        new Limits(
            Duration.ofSeconds(5),
            Duration.ofSeconds(30),
            Duration.ofSeconds(5),
            Duration.ofMinutes(1));
  }

  /**
   * Remembers nothing yet, and asks nobody before it is asked.
   *
   * @param usual medians to judge an answer by, its items given
   */
  public OnlineOffers(
      List<OfferSource> sources,
      InstantSource clock,
      Limits limits,
      Function<List<CatalogItem>, Medians> usual) {
    this.sources = List.copyOf(sources);
    this.clock = clock;
    this.limits = limits;
    this.usual = usual;
  }

  /**
   * An answer of each source, in the order of the sources. Takes no longer than the deadline. The
   * items are not filtered: a source may give more than was asked for.
   */
  public List<OnlineAnswer> ask(OfferFilter filter, boolean balance) throws InterruptedException {
    return ask(sources, filter, balance);
  }

  /** The same of other sources, which are remembered by their names. */
  public List<OnlineAnswer> ask(List<OfferSource> asked, OfferFilter filter, boolean balance)
      throws InterruptedException {
    Map<OfferSource, CompletableFuture<SnapshotContent>> waiting = new LinkedHashMap<>();
    for (OfferSource source : asked) {
      CompletableFuture<SnapshotContent> flight =
          askUnlessFresh(source, new Question(source.name(), filter, balance));
      if (flight != null) {
        waiting.put(source, flight);
      }
    }
    long end = System.nanoTime() + limits.deadline().toNanos();
    for (CompletableFuture<SnapshotContent> flight : waiting.values()) {
      await(flight, end - System.nanoTime());
    }
    List<OnlineAnswer> answers = new ArrayList<>();
    for (OfferSource source : asked) {
      answers.add(answer(new Question(source.name(), filter, balance)));
    }
    return answers;
  }

  /** Ends every question that is still open. Later calls of ask only remember. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      memories.values().forEach(Memory::giveUp);
    } finally {
      lock.unlock();
    }
  }

  private @Nullable CompletableFuture<SnapshotContent> askUnlessFresh(
      OfferSource source, Question question) {
    lock.lock();
    try {
      Memory memory = memories.computeIfAbsent(question, _ -> new Memory());
      forgetOldest();
      Instant now = clock.instant();
      Flight flight = memory.flight;
      if (flight != null) {
        if (!expired(flight.askedAt, limits.giveUp(), now)) {
          // Whoever finds a question already late takes what there is, and waits no longer.
          return expired(flight.askedAt, limits.deadline(), now) ? null : flight.result;
        }
        memory.giveUp();
        memory.failure = new Failure(now, "no answer for " + seconds(limits.giveUp()), null);
      }
      boolean fresh = memory.good != null && !expired(memory.good.askedAt, limits.fresh(), now);
      boolean failedJustNow =
          memory.failure != null && !expired(memory.failure.at, limits.pause(), now);
      if (closed || fresh || (failedJustNow && flight == null)) {
        return null;
      }
      Flight started = new Flight(now);
      memory.flight = started;
      started.thread =
          Thread.ofVirtual()
              .name("offers-of-" + source.name())
              .start(() -> fly(source, question, memory, started));
      return started.result;
    } finally {
      lock.unlock();
    }
  }

  private void fly(OfferSource source, Question question, Memory memory, Flight flight) {
    SnapshotContent content = null;
    Throwable problem = null;
    try {
      OfferSource.Fetched fetched = source.fetch(question.filter(), question.balance());
      content = Cleaning.clean(source.name(), fetched, usual.apply(fetched.items()));
    } catch (RuntimeException | LinkageError | StackOverflowError e) {
      // A plug-in may fail in its own ways; the query goes on with the other sources.
      problem = e;
    }
    lock.lock();
    try {
      if (content != null
          && (memory.good == null || !flight.askedAt.isBefore(memory.good.askedAt))) {
        memory.good = new Good(flight.askedAt, content);
      }
      if (memory.flight == flight) {
        memory.flight = null;
        memory.failure =
            problem == null
                ? null
                : new Failure(clock.instant(), Causes.sentence(problem), problem);
      }
    } finally {
      lock.unlock();
    }
    if (content != null) {
      flight.result.complete(content);
    } else {
      flight.result.completeExceptionally(
          problem == null ? new IllegalStateException("no answer") : problem);
    }
  }

  private OnlineAnswer answer(Question question) {
    lock.lock();
    try {
      Instant now = clock.instant();
      Memory memory = memories.get(question);
      Good good = memory == null ? null : memory.good;
      if (good != null && !expired(good.askedAt, limits.fresh(), now)) {
        return new OnlineAnswer(question.source(), good.content, age(good, now), null, null);
      }
      Failure failure = memory == null ? null : memory.failure;
      String why =
          failure == null ? "no answer within " + seconds(limits.deadline()) : failure.sentence;
      Throwable cause = failure == null ? null : failure.cause;
      if (good == null) {
        Memory everything =
            memories.get(new Question(question.source(), OfferFilter.ANY, question.balance()));
        good = everything == null ? null : everything.good;
      }
      return good == null
          ? new OnlineAnswer(
              question.source(),
              null,
              Duration.ZERO,
              question.source() + " has no offers to show: " + why,
              cause)
          : new OnlineAnswer(
              question.source(),
              good.content,
              age(good, now),
              question.source()
                  + " shows offers that are "
                  + seconds(age(good, now))
                  + " old: "
                  + why,
              cause);
    } finally {
      lock.unlock();
    }
  }

  private void forgetOldest() {
    var oldest = memories.values().iterator();
    while (memories.size() > REMEMBERED && oldest.hasNext()) {
      // A question in flight stays, or it would be asked twice.
      if (oldest.next().flight == null) {
        oldest.remove();
      }
    }
  }

  private static void await(CompletableFuture<SnapshotContent> flight, long nanos)
      throws InterruptedException {
    try {
      flight.get(Math.max(nanos, 0), TimeUnit.NANOSECONDS);
    } catch (ExecutionException | TimeoutException _) {
      // The memory knows what went wrong, and the answer says it.
    }
  }

  private static boolean expired(Instant since, Duration limit, Instant now) {
    return Duration.between(since, now).compareTo(limit) >= 0;
  }

  private static Duration age(Good good, Instant now) {
    Duration age = Duration.between(good.askedAt, now);
    return age.isNegative() ? Duration.ZERO : age;
  }

  private static String seconds(Duration duration) {
    return duration.toSeconds() + " seconds";
  }

  private record Question(String source, OfferFilter filter, boolean balance) {}

  private record Good(Instant askedAt, SnapshotContent content) {}

  private record Failure(Instant at, String sentence, @Nullable Throwable cause) {}

  /** A question that is being asked. */
  private static final class Flight {
    private final Instant askedAt;
    private final CompletableFuture<SnapshotContent> result = new CompletableFuture<>();
    private @Nullable Thread thread;

    Flight(Instant askedAt) {
      this.askedAt = askedAt;
    }
  }

  /** What is known of a question; the fields are guarded by lock. */
  private static final class Memory {
    private @Nullable Good good;
    private @Nullable Failure failure;
    private @Nullable Flight flight;

    void giveUp() {
      if (flight != null && flight.thread != null) {
        flight.thread.interrupt();
      }
      flight = null;
    }
  }
}
