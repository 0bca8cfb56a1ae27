package dev.berth.ledger;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** A ledger in front of another one, for whoever changes one of its ways. */
public class ForwardingLedger implements Ledger {
  private volatile Ledger inner;

  public ForwardingLedger(Ledger inner) {
    this.inner = inner;
  }

  /** The one behind it. */
  public final Ledger inner() {
    return inner;
  }

  /** Puts another one behind it. */
  public final void replace(Ledger other) {
    inner = other;
  }

  @Override
  public Tenure takeOver(String realm, String owner) {
    return inner.takeOver(realm, owner);
  }

  @Override
  public Optional<Tenure> takeOverIfSilent(
      String realm, String owner, long epoch, Duration silence) {
    return inner.takeOverIfSilent(realm, owner, epoch, silence);
  }

  @Override
  public void whenUnclear(Consumer<String> listener) {
    inner.whenUnclear(listener);
  }

  @Override
  public void renew(Tenure tenure) {
    inner.renew(tenure);
  }

  @Override
  public Optional<RealmStatus> findRealm(String realm) {
    return inner.findRealm(realm);
  }

  @Override
  public void release(Tenure tenure) {
    inner.release(tenure);
  }

  @Override
  public boolean isShared() {
    return inner.isShared();
  }

  @Override
  public Optional<Inbox> inbox() {
    return inner.inbox();
  }

  @Override
  public Committed commit(Tenure tenure, Commit commit) {
    return inner.commit(tenure, commit);
  }

  @Override
  public int trim(Tenure tenure, Trimmable what, Instant olderThan, int atMost) {
    return inner.trim(tenure, what, olderThan, atMost);
  }

  @Override
  public long readActive(String realm, Consumer<Stored<EntityRow>> receiver) {
    return inner.readActive(realm, receiver);
  }

  @Override
  public Optional<Stored<EntityRow>> find(String realm, EntityKey key) {
    return inner.find(realm, key);
  }

  @Override
  public Optional<Stored<EntityRow>> findActiveByName(
      String realm, String kind, String project, String name) {
    return inner.findActiveByName(realm, kind, project, name);
  }

  @Override
  public Optional<Stored<EntityRow>> findLatestByName(
      String realm, String kind, String project, String name) {
    return inner.findLatestByName(realm, kind, project, name);
  }

  @Override
  public Page<Stored<EntityRow>> list(String realm, EntityQuery query) {
    return inner.list(realm, query);
  }

  @Override
  public EventPage events(String realm, EventQuery query) {
    return inner.events(realm, query);
  }

  @Override
  public boolean awaitEvents(String realm, long after, Duration timeout) {
    return inner.awaitEvents(realm, after, timeout);
  }

  @Override
  public Optional<Stored<ActionRow>> findAction(String realm, String id) {
    return inner.findAction(realm, id);
  }

  @Override
  public List<Stored<ActionRow>> unfinishedActions(String realm) {
    return inner.unfinishedActions(realm);
  }

  @Override
  public ReplyLookup findReply(String realm, IdempotencyKey key, String requestHash) {
    return inner.findReply(realm, key, requestHash);
  }

  @Override
  public void close() {
    inner.close();
  }
}
