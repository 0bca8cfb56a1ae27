package dev.berth.ledger;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** A ledger in tables: each question and each commit as work on statements. */
abstract sealed class SqlLedger implements Ledger permits SqliteLedger, PostgresLedger {

  /** The sound of what is committed, by this process and, once it listens, by others. */
  final EventSignals signals = new EventSignals(Duration.ofSeconds(1));

  final ThreadGroup threads = new ThreadGroup("ledger");
  final LedgerThreads writerThread;

  /**
   * Has no connection yet.
   *
   * @param patience how long a call waits for its turn
   */
  SqlLedger(Duration patience) {
    this.writerThread = new LedgerThreads(threads, "ledger-writer", 1, patience);
  }

  /** Who writes, on the writer's thread only. */
  abstract SqlWriter writer();

  /** Begins to hear of the events that other processes commit, where there can be others. */
  abstract void listen();

  /** Does the work in a transaction of its own, so that all its statements see the same state. */
  abstract <T> T read(SqlWork<T> work);

  /** Does work of one statement, which sees one state by itself. */
  abstract <T> T readOnce(SqlWork<T> work);

  @Override
  public final Tenure takeOver(String realm, String owner) {
    Tenure wanted = new Tenure(realm, owner, 0, 0);
    return take(wanted, c -> Optional.of(RealmStatements.takeOver(c, wanted))).orElseThrow();
  }

  @Override
  public final Optional<Tenure> takeOverIfSilent(
      String realm, String owner, long epoch, Duration silence) {
    Tenure wanted = new Tenure(realm, owner, epoch, 0);
    return take(
        wanted,
        c ->
            epoch == 0
                ? RealmStatements.found(c, wanted)
                : RealmStatements.takeOverIfSilent(c, wanted, silence));
  }

  @Override
  public final Tenure resume(Tenure tenure) {
    try {
      return Ledger.super.resume(tenure);
    } catch (FencedException e) {
      writeUnfenced(statements -> RealmStatements.countStale(statements, tenure));
      throw e;
    }
  }

  @Override
  public final void whenUnclear(Consumer<String> listener) {
    writer().whenUnclear(listener);
  }

  @Override
  public final void renew(Tenure tenure) {
    writeOnce(tenure, c -> RealmStatements.fence(c, tenure, 0));
  }

  @Override
  public final void release(Tenure tenure) {
    writeOnce(tenure, c -> RealmStatements.release(c, tenure));
  }

  @Override
  public final Committed commit(Tenure tenure, Commit commit) {
    Committed committed = write(tenure, c -> CommitStatements.write(c, tenure, commit));
    signals.announce(tenure.realm(), committed.lastSeq());
    return committed;
  }

  @Override
  public final int trim(Tenure tenure, Trimmable what, Instant olderThan, int atMost) {
    Instant before = StorableText.time("older than", olderThan);
    int limit = Trimmable.requirePositive(atMost);
    return write(tenure, c -> TrimStatements.trim(c, tenure, what, before, limit));
  }

  @Override
  public final Optional<RealmStatus> findRealm(String realm) {
    return readOnce(c -> RealmStatements.find(c, realm));
  }

  @Override
  public final long readActive(String realm, Consumer<Stored<EntityRow>> receiver) {
    return read(c -> EntityStatements.readActive(c, realm, receiver));
  }

  @Override
  public final Optional<Stored<EntityRow>> find(String realm, EntityKey key) {
    return readOnce(c -> EntityStatements.find(c, realm, key));
  }

  @Override
  public final Optional<Stored<EntityRow>> findActiveByName(
      String realm, String kind, String project, String name) {
    return readOnce(
        c ->
            EntityStatements.findNamed(
                c, EntityStatements.ACTIVE_BY_NAME, realm, kind, project, name));
  }

  @Override
  public final Optional<Stored<EntityRow>> findLatestByName(
      String realm, String kind, String project, String name) {
    return readOnce(
        c ->
            EntityStatements.findNamed(
                c, EntityStatements.LATEST_BY_NAME, realm, kind, project, name));
  }

  @Override
  public final Page<Stored<EntityRow>> list(String realm, EntityQuery query) {
    return readOnce(c -> EntityStatements.list(c, realm, query));
  }

  @Override
  public final EventPage events(String realm, EventQuery query) {
    return read(c -> JournalStatements.events(c, realm, query));
  }

  @Override
  public final boolean awaitEvents(String realm, long after, Duration timeout) {
    listen();
    return signals.await(
        realm, after, timeout, () -> findRealm(realm).map(RealmStatus::seq).orElse(0L));
  }

  @Override
  public final Optional<Stored<ActionRow>> findAction(String realm, String id) {
    return readOnce(c -> JournalStatements.findAction(c, realm, id));
  }

  @Override
  public final List<Stored<ActionRow>> unfinishedActions(String realm) {
    return readOnce(c -> JournalStatements.unfinished(c, realm));
  }

  @Override
  public final ReplyLookup findReply(String realm, IdempotencyKey key, String requestHash) {
    return ReplyLookup.of(readOnce(c -> JournalStatements.findReply(c, realm, key)), requestHash);
  }

  /** Going to another thread takes longer than a look, so all are looked at there at once. */
  @Override
  public final List<ReplyLookup> findReplies(String realm, List<ReplyLookup.Question> questions) {
    return read(
        c -> {
          List<ReplyLookup> found = new ArrayList<>();
          for (ReplyLookup.Question question : questions) {
            found.add(
                ReplyLookup.of(
                    JournalStatements.findReply(c, realm, question.key()), question.requestHash()));
          }
          return found;
        });
  }

  /** Does work that may take the realm over, in a transaction of the writer. */
  private Optional<Tenure> take(Tenure wanted, SqlWork<Optional<Tenure>> work) {
    return writerThread.call(
        () ->
            writer()
                .taking(
                    wanted,
                    statements -> {
                      Schema.requireWritable(statements);
                      return work.on(statements);
                    }));
  }

  /** Does the work in a transaction of the writer, whose first statement is the fence. */
  final <T> T write(Tenure tenure, SqlWork<T> work) {
    return writerThread.call(() -> writer().fenced(tenure, work));
  }

  /** Does work of one statement that is a transaction by itself; its outcome is never in doubt. */
  private <T> T writeOnce(Tenure tenure, SqlWork<T> work) {
    return writerThread.call(() -> writer().fencedOnce(tenure, work));
  }

  /** Does work of one statement that any server may do, active or not. */
  final <T> T writeUnfenced(SqlWork<T> work) {
    return writerThread.call(() -> writer().once(work));
  }
}
