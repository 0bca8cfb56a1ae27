package dev.berth.control;

import dev.berth.decisions.Draft;
import dev.berth.decisions.Message;
import dev.berth.decisions.OfferRequirement;
import dev.berth.decisions.OfferView;
import dev.berth.decisions.Reply;
import dev.berth.decisions.Rules;
import dev.berth.decisions.View;
import dev.berth.ledger.Commit;
import dev.berth.ledger.CommitUnknownException;
import dev.berth.ledger.ConstraintException;
import dev.berth.ledger.EntityKey;
import dev.berth.ledger.FencedException;
import dev.berth.ledger.IdempotencyKey;
import dev.berth.ledger.Ledger;
import dev.berth.ledger.LedgerException;
import dev.berth.ledger.ReplyLookup;
import dev.berth.ledger.ReplyRow;
import dev.berth.ledger.Tenure;
import dev.berth.model.Action;
import dev.berth.model.Entity;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes messages, decides, commits, and hands over what follows. A step machine: whoever calls
 * {@link #step} lends the thread, and only one may.
 */
public final class ControlLoop {
  /** More messages than this wait in no line: senders are told to come back. */
  static final int MAILBOX = 10_000;

  static final int BATCH = 256;

  /** How often a storage that cannot be used is tried again. */
  private static final Duration RECOVER_EVERY = Duration.ofSeconds(1);

  private static final System.Logger LOG = System.getLogger(ControlLoop.class.getName());

  private final Ledger ledger;
  private final String realm;
  private final InstantSource clock;
  private final FailPoint.Observer failPoints;
  private final Listener listener;
  private final Rules rules;
  private final Supplier<OfferView> offers;
  private final Instruments instruments;
  private final BlockingQueue<Waiting> mailbox = new LinkedBlockingQueue<>();
  private ActiveSet active = new ActiveSet();
  private volatile Tenure tenure;
  private long newestSeq;

  /**
   * When what is in memory is read again, because a commit failed; null where it can be relied on.
   */
  private volatile @Nullable Instant recoverAt;

  /**
   * Whether a commit of anybody in this realm became unclear since the realm was last resumed. Set
   * by any thread.
   */
  private volatile boolean unclear;

  /** When the step under way began; null between steps. Written by the stepping thread. */
  private volatile @Nullable Instant steppingSince;

  /** A message in line, with when it came. */
  private record Waiting(Envelope envelope, Instant since) {}

  /** Who follows what the loop does. Called by the stepping thread, after the commit. */
  public interface Listener {
    /**
     * Actions that are to be carried out now.
     *
     * @param again whether a server before us, or before an unclear commit, may have done so
     */
    void handOver(Collection<Action> actions, boolean again);

    /** All that is active was read from the ledger, whatever was there before. */
    default void loaded(View view) {}

    /**
     * What the commit wrote, as it is now, and what it deleted of what was active, as it was. For
     * those who would otherwise look through all that is active after each commit.
     */
    default void changed(Collection<Entity> written, Collection<Entity> deleted) {}

    /** What is active after the commit; events up to this number can be read. */
    void committed(View view, int unfinishedActions, long seq);

    /** What offers a pass asked for, each with the time since which answers are new enough. */
    default void wanted(Map<OfferRequirement, Instant> lookups) {}

    /** What was observed since the last commit may be forgotten: it has to be told once more. */
    void reloaded();
  }

  public ControlLoop(
      Ledger ledger,
      Tenure tenure,
      InstantSource clock,
      FailPoint.Observer failPoints,
      Listener listener,
      Rules rules,
      Supplier<OfferView> offers) {
    this(ledger, tenure, clock, failPoints, listener, rules, offers, Instruments.NONE);
  }

  public ControlLoop(
      Ledger ledger,
      Tenure tenure,
      InstantSource clock,
      FailPoint.Observer failPoints,
      Listener listener,
      Rules rules,
      Supplier<OfferView> offers,
      Instruments instruments) {
    this.instruments = instruments;
    this.ledger = ledger;
    this.realm = tenure.realm();
    this.tenure = tenure;
    this.clock = clock;
    this.failPoints = failPoints;
    this.listener = listener;
    this.rules = rules;
    this.offers = offers;
    reload();
  }

  /** The tenure that it writes under. Safe for any thread. */
  Tenure tenure() {
    return tenure;
  }

  /**
   * Puts a message in line; false where the line is full (give or take as many as ask at the same
   * moment). May be called by any thread.
   */
  public boolean deliver(Envelope envelope) {
    return mailbox.size() < MAILBOX && mailbox.offer(waiting(envelope));
  }

  /**
   * Puts in line what happened in the world, however long the line is: nobody would tell it again,
   * and there is no more of it than jobs. May be called by any thread.
   */
  void report(Message message) {
    report(Envelope.of(message));
  }

  /** The same, for whoever wants to know when it is decided. */
  void report(Envelope envelope) {
    mailbox.add(waiting(envelope));
  }

  /**
   * A commit of the realm is unclear, whoever made it: nobody can write before the loop has
   * resumed. May be called by any thread.
   */
  void becameUnclear() {
    unclear = true;
    // Wakes whoever waits for work; it asks for nothing but a look at the offers.
    report(new Message.OffersChanged());
  }

  private Waiting waiting(Envelope envelope) {
    return new Waiting(envelope, clock.instant());
  }

  /** How the loop gets on. Safe for any thread. */
  LoopStatus status() {
    Instant now = clock.instant();
    Waiting oldest = mailbox.peek();
    Instant stepping = steppingSince;
    Duration lag = oldest == null ? Duration.ZERO : Duration.between(oldest.since(), now);
    Duration busy = stepping == null ? Duration.ZERO : Duration.between(stepping, now);
    return new LoopStatus(mailbox.size(), lag.compareTo(busy) > 0 ? lag : busy, recoverAt == null);
  }

  /** Waits for a message until the next due time, at most so long; false where none came. */
  boolean awaitWork(Duration atMost) throws InterruptedException {
    Instant due = next().orElse(null);
    Duration wait = due == null ? atMost : Duration.between(clock.instant(), due);
    long millis = Math.clamp(wait.toMillis(), 0, atMost.toMillis());
    if (recoverAt != null) {
      // Messages wait meanwhile; nothing tells when the storage is back.
      Thread.sleep(millis);
      return false;
    }
    if (!held.isEmpty()) {
      return true;
    }
    Waiting first = mailbox.poll(millis, TimeUnit.MILLISECONDS);
    if (first != null) {
      held.add(first);
    }
    return first != null;
  }

  /**
   * Messages that were taken from the mailbox and not decided yet. Only the stepping thread touches
   * it.
   */
  private final List<Waiting> held = new ArrayList<>();

  /** When the next entity or action is due. */
  public Optional<Instant> next() {
    Instant at = recoverAt;
    return at == null ? active.dueTimes().next() : Optional.of(at);
  }

  /** When the next step has something to do: now where a message waits. */
  Optional<Instant> next(Instant now) {
    return recoverAt != null || (held.isEmpty() && mailbox.isEmpty()) ? next() : Optional.of(now);
  }

  /**
   * Whether an action still waits for its report. One that was handed over again after a reload may
   * have been reported by its first call since. Only for the stepping thread.
   */
  boolean isUnderWay(Action action) {
    return active
        .action(action.id())
        .filter(
            known ->
                known.state() == Action.State.IN_FLIGHT && known.attempts() == action.attempts())
        .isPresent();
  }

  /**
   * Decides about what waits, up to a batch, in one commit.
   *
   * @return whether there was anything to decide
   * @throws FencedException another server took over: this one must stop
   */
  public boolean step() {
    Instant now = Instant.ofEpochMilli(clock.instant().toEpochMilli());
    if (unclear && recoverAt == null) {
      recoverAt = now;
    }
    if (recoverAt != null && !recover(now)) {
      return false;
    }
    List<Waiting> taken = new ArrayList<>(held);
    held.clear();
    active.dueTimes().until(now).forEach(message -> taken.add(waiting(Envelope.of(message))));
    mailbox.drainTo(taken, Math.max(0, BATCH - taken.size()));
    if (taken.isEmpty()) {
      return false;
    }
    Instant began = clock.instant();
    steppingSince = began;
    try {
      settle(taken.stream().map(Waiting::envelope).toList(), now);
    } finally {
      steppingSince = null;
    }
    Instant oldest = taken.stream().map(Waiting::since).min(Instant::compareTo).orElse(began);
    instruments.stepped(
        taken.size(), Duration.between(oldest, began), Duration.between(began, clock.instant()));
    return true;
  }

  private void settle(List<Envelope> batch, Instant now) {
    Draft all = new Draft(active);
    Replies replies = new Replies(now);
    replies.lookUp(batch);
    for (Envelope envelope : batch) {
      decide(envelope, all, replies, now);
    }
    schedule(all, now);
    try {
      commit(all, replies, now);
    } catch (FencedException e) {
      if (e.isTakenOver()) {
        replies.fail(e);
        throw e;
      }
      LOG.log(System.Logger.Level.WARNING, "Another commit is unclear; everything is read again");
      // Nothing was written, so whatever was said is decided again on what is there then. What is
      // due is found in there.
      batch.stream()
          .filter(envelope -> !envelope.reply().isDone() && !isClock(envelope.message()))
          .forEach(envelope -> held.add(waiting(envelope)));
      if (recoverAt == null) {
        recoverAt = now;
      }
      recover(now);
    } catch (ConstraintException e) {
      if (batch.size() == 1) {
        replies.fail(e);
        LOG.log(
            System.Logger.Level.ERROR, "A message was set aside: " + describe(batch.getFirst()), e);
        return;
      }
      LOG.log(System.Logger.Level.WARNING, "A batch was refused; each message is tried alone", e);
      batch.forEach(envelope -> settle(List.of(envelope), now));
    }
  }

  private static boolean isClock(Message message) {
    return message instanceof Message.Due || message instanceof Message.ActionDue;
  }

  private void decide(Envelope envelope, Draft all, Replies replies, Instant now) {
    try {
      if (replies.answersAgain(envelope)) {
        return;
      }
      Draft own = new Draft(all);
      Reply reply = rules.decide(own, envelope.message(), now);
      // First, because a reply that cannot be kept must not leave its changes behind.
      replies.add(envelope, reply);
      all.absorb(own);
    } catch (RuntimeException e) {
      // One message that cannot be decided must not hold up the others.
      LOG.log(System.Logger.Level.ERROR, "A message was set aside: " + describe(envelope), e);
      envelope.reply().completeExceptionally(e);
    }
  }

  /** The kind of a message only: what is in it may be secret. */
  private static String describe(Envelope envelope) {
    return envelope.message().getClass().getSimpleName();
  }

  private void schedule(Draft all, Instant now) {
    Draft own = new Draft(all);
    try {
      rules.schedule(own, offers.get(), now);
      listener.wanted(own.lookups());
      all.absorb(own);
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.ERROR, "Nobody was placed this time", e);
    }
  }

  private void commit(Draft all, Replies replies, Instant now) {
    Commit.Builder commit = Commit.builder();
    all.entities()
        .forEach(
            (key, written) ->
                written.ifPresentOrElse(
                    entity -> commit.put(Codec.row(entity, active.unknownFields(entity))),
                    () -> commit.delete(keyOf(key))));
    all.actions()
        .forEach(action -> commit.action(Codec.row(action, active.unknownFields(action), now)));
    all.events().forEach(event -> commit.event(Codec.row(event, now)));
    replies.rows().forEach(commit::reply);
    Commit built = commit.build();
    if (built.size() > 0) {
      failPoints.reached(FailPoint.BEFORE_COMMIT);
      Instant began = clock.instant();
      try {
        newestSeq = ledger.commit(tenure, built).lastSeq();
        note(Instruments.CommitResult.KEPT, began);
      } catch (ConstraintException e) {
        note(Instruments.CommitResult.REFUSED, began);
        throw e;
      } catch (FencedException e) {
        note(
            e.isTakenOver() ? Instruments.CommitResult.STALE : Instruments.CommitResult.FAILED,
            began);
        throw e;
      } catch (LedgerException e) {
        note(
            e instanceof CommitUnknownException
                ? Instruments.CommitResult.UNCLEAR
                : Instruments.CommitResult.FAILED,
            began);
        // Kept or not: whatever the messages said is found in the ledger or told once more.
        replies.fail(e);
        LOG.log(System.Logger.Level.WARNING, "A commit failed; everything is read again", e);
        recoverAt = now;
        recover(now);
        return;
      }
      failPoints.reached(FailPoint.AFTER_COMMIT);
    }
    List<Entity> deleted = deleted(all);
    active.apply(all);
    active.at(newestSeq);
    listener.handOver(
        all.actions().stream().filter(action -> action.state() == Action.State.IN_FLIGHT).toList(),
        false);
    listener.changed(all.entities().values().stream().flatMap(Optional::stream).toList(), deleted);
    listener.committed(active, active.unfinishedActions().size(), newestSeq);
    replies.complete();
  }

  private void note(Instruments.CommitResult result, Instant began) {
    instruments.committed(result, Duration.between(began, clock.instant()));
  }

  /** What a draft deletes of what is active now. */
  private List<Entity> deleted(Draft all) {
    List<Entity> deleted = new ArrayList<>();
    all.entities()
        .forEach(
            (key, written) -> {
              if (written.isEmpty()) {
                active.find(key).ifPresent(deleted::add);
              }
            });
    return deleted;
  }

  private static EntityKey keyOf(String key) {
    int slash = key.indexOf('/');
    return new EntityKey(key.substring(0, slash), key.substring(slash + 1));
  }

  /**
   * Takes the realm again after a failed commit and reads what is there, where it is time to and
   * the storage can be reached.
   */
  private boolean recover(Instant now) {
    Instant at = recoverAt;
    if (at != null && now.isBefore(at)) {
      return false;
    }
    try {
      // Before the realm is resumed: what becomes unclear afterwards has to be resumed again.
      unclear = false;
      tenure = ledger.resume(tenure);
      reload();
      listener.reloaded();
      recoverAt = null;
      return true;
    } catch (LedgerException e) {
      if (!e.code().retryable() && e.code() != LedgerException.Code.COMMIT_UNKNOWN) {
        throw e;
      }
      LOG.log(
          System.Logger.Level.WARNING,
          "The ledger cannot be used; it is tried again: " + e.getMessage());
      recoverAt = now.plus(RECOVER_EVERY);
      return false;
    }
  }

  /**
   * Reads everything from the ledger, and hands over again whatever may or may not have been
   * carried out.
   */
  private void reload() {
    newestSeq = tenure.seq();
    ActiveSet loaded = new ActiveSet();
    loaded.at(newestSeq);
    ledger.readActive(realm, stored -> loaded.load(stored.row()));
    ledger.unfinishedActions(realm).forEach(stored -> loaded.load(stored.row()));
    active = loaded;
    listener.handOver(
        loaded.unfinishedActions().stream()
            .filter(action -> action.state() == Action.State.IN_FLIGHT)
            .toList(),
        true);
    listener.loaded(active);
    listener.committed(active, loaded.unfinishedActions().size(), newestSeq);
  }

  /** The replies of one batch: given only after the commit that makes them true. */
  private final class Replies {
    private final Instant now;
    private final List<Runnable> completions = new ArrayList<>();
    private final List<Envelope> waiting = new ArrayList<>();
    private final Map<IdempotencyKey, ReplyRow> rows = new LinkedHashMap<>();

    /** What the ledger said before the batch was decided. */
    private final Map<ReplyLookup.Question, ReplyLookup> known = new HashMap<>();

    Replies(Instant now) {
      this.now = now;
    }

    /** Asks about all requests of a batch at once; where that fails, each is asked by itself. */
    void lookUp(List<Envelope> batch) {
      List<ReplyLookup.Question> questions =
          batch.stream()
              .flatMap(envelope -> Optional.ofNullable(envelope.idempotency()).stream())
              .map(Replies::question)
              .distinct()
              .toList();
      if (questions.size() < 2) {
        return;
      }
      try {
        List<ReplyLookup> answers = ledger.findReplies(realm, questions);
        for (int i = 0; i < answers.size(); i++) {
          known.put(questions.get(i), answers.get(i));
        }
      } catch (LedgerException e) {
        LOG.log(System.Logger.Level.WARNING, "Requests could not be looked up together", e);
      }
    }

    private static ReplyLookup.Question question(Envelope.Idempotency idempotency) {
      return new ReplyLookup.Question(
          new IdempotencyKey(idempotency.scope(), idempotency.key()), idempotency.requestHash());
    }

    private ReplyLookup find(ReplyLookup.Question question) {
      ReplyLookup found = known.get(question);
      return found == null
          ? ledger.findReply(realm, question.key(), question.requestHash())
          : found;
    }

    /** Whether the same request was answered before; then that answer is given once more. */
    boolean answersAgain(Envelope envelope) {
      Envelope.Idempotency idempotency = envelope.idempotency();
      if (idempotency == null) {
        return false;
      }
      ReplyLookup.Question question = question(idempotency);
      ReplyRow inBatch = rows.get(question.key());
      ReplyLookup lookup =
          inBatch == null
              ? find(question)
              : inBatch.requestHash().equals(idempotency.requestHash())
                  ? new ReplyLookup.Replay(inBatch.reply(), 0, now)
                  : new ReplyLookup.OtherRequest();
      return switch (lookup) {
        case ReplyLookup.Unseen _ -> false;
        case ReplyLookup.Replay replay -> {
          give(envelope, Codec.reply(replay.reply()));
          yield true;
        }
        case ReplyLookup.OtherRequest _ -> {
          give(
              envelope,
              new Reply.Refused(
                  Reply.Code.KEY_REUSED,
                  "the idempotency key was already used for another request; choose a new one"));
          yield true;
        }
      };
    }

    void add(Envelope envelope, Reply reply) {
      Envelope.Idempotency idempotency = envelope.idempotency();
      if (idempotency != null) {
        IdempotencyKey key = new IdempotencyKey(idempotency.scope(), idempotency.key());
        rows.put(
            key,
            new ReplyRow(
                key, idempotency.requestHash(), Codec.reply(reply, idempotency.answer()), now));
      }
      give(envelope, reply);
    }

    private void give(Envelope envelope, Reply reply) {
      waiting.add(envelope);
      completions.add(() -> envelope.reply().complete(reply));
    }

    Collection<ReplyRow> rows() {
      return rows.values();
    }

    void complete() {
      completions.forEach(Runnable::run);
    }

    void fail(RuntimeException e) {
      waiting.forEach(envelope -> envelope.reply().completeExceptionally(e));
    }
  }
}
