package dev.berth.control;

import dev.berth.ledger.ActionRow;
import dev.berth.ledger.Commit;
import dev.berth.ledger.Committed;
import dev.berth.ledger.EntityKey;
import dev.berth.ledger.EntityQuery;
import dev.berth.ledger.EntityRow;
import dev.berth.ledger.EventPage;
import dev.berth.ledger.EventQuery;
import dev.berth.ledger.IdempotencyKey;
import dev.berth.ledger.Ledger;
import dev.berth.ledger.LedgerException;
import dev.berth.ledger.Page;
import dev.berth.ledger.RealmStatus;
import dev.berth.ledger.ReplyLookup;
import dev.berth.ledger.Stored;
import dev.berth.ledger.Tenure;
import dev.berth.ledger.Trimmable;
import dev.berth.ledger.UnknownCommits;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** A ledger that remembers the commits that it was given, and fails them as a test wants it. */
final class WatchedLedger implements Ledger {
  private volatile Ledger ledger;
  final List<Commit> commits = new CopyOnWriteArrayList<>();

  /** What happens to the next commit; the one after it is fine again. */
  volatile Fate nextCommit = Fate.KEPT;

  /** Called before each commit. */
  volatile Runnable beforeCommit = () -> {};

  enum Fate {
    KEPT,
    /** Written, and nobody knows. */
    UNKNOWN_KEPT,
    /** Not written, and nobody knows. */
    UNKNOWN_LOST,
    /** Not written, and known not to be. */
    REFUSED
  }

  WatchedLedger(Ledger ledger) {
    this.ledger = ledger;
  }

  Ledger inner() {
    return ledger;
  }

  void replace(Ledger other) {
    ledger = other;
  }

  @Override
  public Committed commit(Tenure tenure, Commit commit) {
    beforeCommit.run();
    commits.add(commit);
    Fate fate = nextCommit;
    nextCommit = Fate.KEPT;
    return switch (fate) {
      case KEPT -> ledger.commit(tenure, commit);
      case UNKNOWN_KEPT -> {
        ledger.commit(tenure, commit);
        throw UnknownCommits.of(tenure);
      }
      case UNKNOWN_LOST -> throw UnknownCommits.of(tenure);
      case REFUSED -> throw new LedgerException(LedgerException.Code.DISK_FULL, "The disk is full");
    };
  }

  @Override
  public Tenure takeOver(String realm, String owner) {
    return ledger.takeOver(realm, owner);
  }

  @Override
  public Optional<RealmStatus> findRealm(String realm) {
    return ledger.findRealm(realm);
  }

  @Override
  public int trim(Tenure tenure, Trimmable what, Instant olderThan, int atMost) {
    return ledger.trim(tenure, what, olderThan, atMost);
  }

  @Override
  public long readActive(String realm, Consumer<Stored<EntityRow>> receiver) {
    return ledger.readActive(realm, receiver);
  }

  @Override
  public Optional<Stored<EntityRow>> find(String realm, EntityKey key) {
    return ledger.find(realm, key);
  }

  @Override
  public Optional<Stored<EntityRow>> findActiveByName(
      String realm, String kind, String project, String name) {
    return ledger.findActiveByName(realm, kind, project, name);
  }

  @Override
  public Optional<Stored<EntityRow>> findLatestByName(
      String realm, String kind, String project, String name) {
    return ledger.findLatestByName(realm, kind, project, name);
  }

  @Override
  public Page<Stored<EntityRow>> list(String realm, EntityQuery query) {
    return ledger.list(realm, query);
  }

  @Override
  public EventPage events(String realm, EventQuery query) {
    return ledger.events(realm, query);
  }

  @Override
  public Optional<Stored<ActionRow>> findAction(String realm, String id) {
    return ledger.findAction(realm, id);
  }

  @Override
  public List<Stored<ActionRow>> unfinishedActions(String realm) {
    return ledger.unfinishedActions(realm);
  }

  @Override
  public ReplyLookup findReply(String realm, IdempotencyKey key, String requestHash) {
    return ledger.findReply(realm, key, requestHash);
  }

  @Override
  public void close() {
    ledger.close();
  }
}
