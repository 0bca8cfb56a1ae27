package dev.berth.ledger;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The memory of Berth that survives a crash: rows, events, actions and replies of realms.
 *
 * <p>One tenure writes to a realm, anyone may read. What a commit wrote is on disk when the call
 * returns, and reads that start afterwards see it. Every read sees one consistent state.
 *
 * <p>Methods may be called from any thread, virtual ones included. A call waits until it is done
 * and does not react to interruption, because a commit cannot be taken back half-way; the interrupt
 * flag is kept. Every method may throw a {@link LedgerException} with a code for trouble of the
 * storage (for example DISK_FULL, INPUT_OUTPUT, CORRUPTED, CLOSED); its documentation names the
 * others.
 */
public interface Ledger extends AutoCloseable {
  /** The realm of a whole installation. */
  String MAIN_REALM = "main";

  /**
   * Makes the caller the only writer of a realm; creates the realm when there is none.
   *
   * <p>Atomic. Not idempotent: each call starts a new epoch and ends the tenure before, which the
   * earlier holder learns from a {@link FencedException} at its next commit.
   *
   * @param owner who takes over, for people to read; different from any other owner, because an
   *     owner knows by it which epochs are its own
   */
  Tenure takeOver(String realm, String owner);

  /**
   * Makes the caller the only writer of a realm if its owner has given no sign of life for so long,
   * or longer, by the database's clock.
   *
   * <p>Atomic: of several that try, one succeeds. Not idempotent.
   *
   * @param epoch the epoch that the caller saw; 0 where nobody ever took the realm over
   * @return empty when another epoch is in force by now, or its owner is alive; nothing was written
   * @throws CommitUnknownException as for {@link #takeOver}
   */
  Optional<Tenure> takeOverIfSilent(String realm, String owner, long epoch, Duration silence);

  /**
   * Takes over from oneself after a commit that failed, unless somebody else has meanwhile. An
   * epoch of the same owner is one's own, from an earlier try whose outcome nobody knew.
   *
   * @throws FencedException somebody has
   * @throws CommitUnknownException as for {@link #takeOver}; call again
   */
  default Tenure resume(Tenure tenure) {
    return takeOverIfSilent(tenure.realm(), tenure.owner(), tenure.epoch(), Duration.ZERO)
        .or(
            () ->
                findRealm(tenure.realm())
                    .filter(realm -> realm.owner().equals(tenure.owner()))
                    .flatMap(
                        own ->
                            takeOverIfSilent(
                                tenure.realm(), tenure.owner(), own.epoch(), Duration.ZERO)))
        .orElseThrow(() -> FencedException.takenOver(tenure));
  }

  /**
   * Has somebody told of each commit whose outcome is not known, whoever made it: until the realm
   * is resumed, nobody can write there. The listener gets the realm, is called before the one who
   * committed learns of it, and must neither wait nor call the ledger.
   */
  default void whenUnclear(Consumer<String> listener) {}

  /** Ends a tenure in order, so that nobody waits for a sign of life. Silent where it is over. */
  void release(Tenure tenure);

  /** Whether other processes may use the same storage, so that tenures need signs of life. */
  boolean isShared();

  /** Where servers that stand by pass on what they are asked; empty where none can stand by. */
  default Optional<Inbox> inbox() {
    return Optional.empty();
  }

  /**
   * Gives a sign of life, as every commit does too. Idempotent. After a failure the tenure goes on,
   * and nobody needs to know whether the sign arrived.
   *
   * @throws FencedException the tenure is over
   */
  void renew(Tenure tenure);

  /** Where a realm stands; empty when nobody ever took it over. */
  Optional<RealmStatus> findRealm(String realm);

  /**
   * Writes everything in the commit, or nothing.
   *
   * <p>Deleting what is not there is silent; putting an entity or action replaces it whole. Rows
   * that stop being active are written before those that are active, so that a name can move from
   * one to the other in one commit. Not idempotent: events would be appended twice.
   *
   * @throws FencedException the tenure is over; nothing was written
   * @throws ConstraintException a rule is broken; nothing was written, the tenure goes on
   * @throws CommitUnknownException the storage failed at the moment of committing
   * @throws LedgerException any other failure; nothing was written, the tenure goes on
   */
  Committed commit(Tenure tenure, Commit commit);

  /**
   * Removes what is older than a time, at most so many rows, the oldest first; returns how many.
   * Call again while the result equals {@code atMost}. Atomic and idempotent.
   *
   * @throws FencedException the tenure is over; nothing was removed
   * @throws CommitUnknownException as for {@link #commit}
   */
  int trim(Tenure tenure, Trimmable what, Instant olderThan, int atMost);

  /**
   * Hands every active entity of a realm to the receiver, by kind, then the oldest first, and
   * returns the realm's newest event number at the moment that was read.
   *
   * <p>The receiver is called on a thread of the ledger and must not call the ledger. What it
   * throws ends the reading and reaches the caller.
   */
  long readActive(String realm, Consumer<Stored<EntityRow>> receiver);

  /** The entity with this key, active or not. */
  Optional<Stored<EntityRow>> find(String realm, EntityKey key);

  /** The one active entity of this name. */
  Optional<Stored<EntityRow>> findActiveByName(
      String realm, String kind, String project, String name);

  /** The newest entity of this name, active or not. */
  Optional<Stored<EntityRow>> findLatestByName(
      String realm, String kind, String project, String name);

  /**
   * Lists entities, newest first. Rows that are added while a caller pages through do not shift the
   * pages.
   *
   * @throws BadCursorException the query's cursor is not one that this listing gave out
   */
  Page<Stored<EntityRow>> list(String realm, EntityQuery query);

  /** All that a query asks for, page after page, newest first. */
  default List<Stored<EntityRow>> listAll(String realm, EntityQuery query) {
    Page<Stored<EntityRow>> page = list(realm, query);
    List<Stored<EntityRow>> all = new ArrayList<>(page.items());
    Optional<String> next = page.next();
    while (next.isPresent()) {
      page = list(realm, query.after(next.get()));
      all.addAll(page.items());
      next = page.next();
    }
    return all;
  }

  /** Reads events, oldest first. */
  EventPage events(String realm, EventQuery query);

  /**
   * Waits until a realm has an event with a higher number, whoever commits it, and returns whether
   * there is one; false once the time is over, or when the caller is interrupted. For one follower
   * a realm and a server, not for each of its clients: everyone who waits also asks the database
   * once a second.
   *
   * @throws LedgerException CLOSED also when the ledger is closed meanwhile
   */
  boolean awaitEvents(String realm, long after, Duration timeout);

  /** The action with this id, finished or not; empty also when retention removed it. */
  Optional<Stored<ActionRow>> findAction(String realm, String id);

  /** Every action that is not finished, in the order in which they were first written. */
  List<Stored<ActionRow>> unfinishedActions(String realm);

  /** What is known about a request that carries an idempotency key. */
  ReplyLookup findReply(String realm, IdempotencyKey key, String requestHash);

  /** What is known about several requests, in their order. */
  default List<ReplyLookup> findReplies(String realm, List<ReplyLookup.Question> questions) {
    return questions.stream()
        .map(question -> findReply(realm, question.key(), question.requestHash()))
        .toList();
  }

  /**
   * Waits for running calls and lets go of the storage. Idempotent; later calls fail with CLOSED.
   */
  @Override
  void close();
}
