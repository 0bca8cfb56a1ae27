package dev.berth.ledger;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A ledger that forgets everything with its process, for simulation and tests.
 *
 * <p>It keeps the whole contract except durability; one lock makes every call a moment of its own.
 */
public final class InMemoryLedger implements Ledger {
  private static final Comparator<Stored<EntityRow>> OLDEST_FIRST =
      Comparator.<Stored<EntityRow>>comparingLong(stored -> stored.row().sortKey())
          .thenComparing(stored -> stored.row().key().id());

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, InMemoryRealm> realms = new HashMap<>();
  private final InstantSource clock;
  private final EventSignals signals = new EventSignals(Duration.ofSeconds(1));
  private boolean closed;

  public InMemoryLedger() {
    this(InstantSource.system());
  }

  /** A ledger whose signs of life follow this clock. */
  public InMemoryLedger(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public Tenure takeOver(String realm, String owner) {
    Tenure wanted = new Tenure(realm, owner, 0, 0);
    return locked(() -> begin(wanted));
  }

  @Override
  public Optional<Tenure> takeOverIfSilent(
      String realm, String owner, long epoch, Duration silence) {
    Tenure wanted = new Tenure(realm, owner, epoch, 0);
    return locked(
        () -> {
          InMemoryRealm state = realms.get(realm);
          boolean free =
              state == null
                  ? epoch == 0
                  : state.epoch == epoch
                      && (silence.isZero()
                          || !state.aliveAt.isAfter(clock.instant().minus(silence)));
          return free ? Optional.of(begin(wanted)) : Optional.empty();
        });
  }

  @Override
  public void release(Tenure tenure) {
    locked(
        () -> {
          InMemoryRealm state = realms.get(tenure.realm());
          if (state != null && state.epoch == tenure.epoch()) {
            state.aliveAt = Instant.EPOCH;
          }
          return state;
        });
  }

  @Override
  public boolean isShared() {
    return false;
  }

  @Override
  public void renew(Tenure tenure) {
    locked(() -> fenced(tenure));
  }

  @Override
  public Optional<RealmStatus> findRealm(String realm) {
    return read(
        realm,
        Optional.empty(),
        state ->
            Optional.of(
                new RealmStatus(
                    realm,
                    state.owner,
                    state.epoch,
                    state.seq,
                    state.trimmedSeq,
                    Duration.between(state.aliveAt, clock.instant()),
                    state.staleWrites)));
  }

  @Override
  public Committed commit(Tenure tenure, Commit commit) {
    Committed committed = locked(() -> fenced(tenure).commit(commit));
    signals.announce(tenure.realm(), committed.lastSeq());
    return committed;
  }

  @Override
  public int trim(Tenure tenure, Trimmable what, Instant olderThan, int atMost) {
    Instant before = StorableText.time("older than", olderThan);
    int limit = Trimmable.requirePositive(atMost);
    return locked(() -> fenced(tenure).trim(what, before, limit));
  }

  @Override
  public long readActive(String realm, Consumer<Stored<EntityRow>> receiver) {
    record Snapshot(long seq, List<Stored<EntityRow>> rows) {}
    Snapshot snapshot =
        read(
            realm,
            new Snapshot(0, List.of()),
            state ->
                new Snapshot(
                    state.seq,
                    entities(state, EntityRow::active)
                        .sorted(
                            Comparator.<Stored<EntityRow>, String>comparing(
                                    stored -> stored.row().key().kind())
                                .thenComparing(OLDEST_FIRST))
                        .toList()));
    snapshot.rows().forEach(receiver);
    return snapshot.seq();
  }

  @Override
  public Optional<Stored<EntityRow>> find(String realm, EntityKey key) {
    return read(realm, Optional.empty(), state -> Optional.ofNullable(state.entities.get(key)));
  }

  @Override
  public Optional<Stored<EntityRow>> findActiveByName(
      String realm, String kind, String project, String name) {
    return read(
        realm,
        Optional.empty(),
        state ->
            Optional.ofNullable(
                    state.activeNames.get(new InMemoryRealm.ActiveName(kind, project, name)))
                .map(state.entities::get));
  }

  @Override
  public Optional<Stored<EntityRow>> findLatestByName(
      String realm, String kind, String project, String name) {
    return read(
        realm,
        Optional.empty(),
        state ->
            entities(
                    state,
                    row ->
                        row.key().kind().equals(kind)
                            && row.project().equals(project)
                            && name.equals(row.name()))
                .max(OLDEST_FIRST));
  }

  @Override
  public Page<Stored<EntityRow>> list(String realm, EntityQuery query) {
    Optional<Cursor> cursor = Cursor.of(query);
    List<Stored<EntityRow>> found =
        read(
            realm,
            List.of(),
            state ->
                entities(state, row -> matches(row, query))
                    .filter(stored -> cursor.isEmpty() || cursor.get().isBefore(stored.row()))
                    .sorted(OLDEST_FIRST.reversed())
                    .limit(query.limit() + 1L)
                    .toList());
    return Cursor.page(found, query);
  }

  @Override
  public EventPage events(String realm, EventQuery query) {
    return read(
        realm,
        new EventPage(List.of(), query.after(), 0),
        state -> {
          List<Stored<EventRow>> found =
              state.events.tailMap(query.after(), false).values().stream()
                  .filter(stored -> matches(stored.row(), query))
                  .limit(query.limit())
                  .toList();
          return EventPage.of(found, query, state.seq, state.trimmedSeq);
        });
  }

  @Override
  public boolean awaitEvents(String realm, long after, Duration timeout) {
    return signals.await(realm, after, timeout, () -> read(realm, 0L, state -> state.seq));
  }

  @Override
  public Optional<Stored<ActionRow>> findAction(String realm, String id) {
    return read(realm, Optional.empty(), state -> Optional.ofNullable(state.actions.get(id)));
  }

  @Override
  public List<Stored<ActionRow>> unfinishedActions(String realm) {
    return read(
        realm,
        List.of(),
        state ->
            state.actions.values().stream()
                .filter(stored -> !stored.row().state().finished())
                .sorted(
                    Comparator.<Stored<ActionRow>>comparingLong(Stored::seq)
                        .thenComparing(stored -> stored.row().id()))
                .toList());
  }

  @Override
  public ReplyLookup findReply(String realm, IdempotencyKey key, String requestHash) {
    return read(
        realm,
        new ReplyLookup.Unseen(),
        state -> ReplyLookup.of(Optional.ofNullable(state.replies.get(key)), requestHash));
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
    } finally {
      lock.unlock();
    }
    signals.close();
  }

  private Tenure begin(Tenure wanted) {
    InMemoryRealm state = realms.computeIfAbsent(wanted.realm(), name -> new InMemoryRealm());
    state.epoch++;
    state.owner = wanted.owner();
    state.aliveAt = clock.instant();
    return new Tenure(wanted.realm(), wanted.owner(), state.epoch, state.seq);
  }

  /** The tenure's realm, to which its owner has just given a sign of life. */
  private InMemoryRealm fenced(Tenure tenure) {
    InMemoryRealm state = realms.get(tenure.realm());
    if (state == null || state.epoch != tenure.epoch()) {
      if (state != null) {
        state.staleWrites++;
      }
      throw FencedException.takenOver(tenure);
    }
    state.aliveAt = clock.instant();
    return state;
  }

  private static Stream<Stored<EntityRow>> entities(
      InMemoryRealm state, Predicate<EntityRow> filter) {
    return state.entities.values().stream().filter(stored -> filter.test(stored.row()));
  }

  private static boolean matches(EntityRow row, EntityQuery query) {
    String prefix = query.namePrefix();
    String name = row.name();
    return row.key().kind().equals(query.kind())
        && (query.project() == null || query.project().equals(row.project()))
        && (query.parent() == null || query.parent().equals(row.parent()))
        && (prefix == null || (name != null && name.startsWith(prefix)))
        && (row.active() || !query.activeOnly());
  }

  private static boolean matches(EventRow row, EventQuery query) {
    return (query.entity() == null || query.entity().equals(row.entity()))
        && (query.project() == null || query.project().equals(row.project()));
  }

  private <T> T read(String realm, T whenUnknown, Function<InMemoryRealm, T> reader) {
    return locked(
        () -> {
          InMemoryRealm state = realms.get(realm);
          return state == null ? whenUnknown : reader.apply(state);
        });
  }

  private <T> T locked(Supplier<T> work) {
    lock.lock();
    try {
      if (closed) {
        throw LedgerException.closed();
      }
      return work.get();
    } finally {
      lock.unlock();
    }
  }
}
