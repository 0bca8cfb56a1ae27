package dev.berth.ledger;

import dev.berth.ledger.ConstraintException.Rule;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The tables of one realm as maps. Not safe for threads: {@link InMemoryLedger} holds the lock.
 *
 * <p>A commit changes the maps at once and remembers how to undo each step, so that a broken rule
 * leaves nothing behind.
 */
final class InMemoryRealm {
  /** What must be unique among active entities. */
  record ActiveName(String kind, String project, String name) {}

  String owner = "";
  long epoch;
  long seq;
  long trimmedSeq;
  long staleWrites;
  Instant aliveAt = Instant.EPOCH;
  final TreeMap<EntityKey, Stored<EntityRow>> entities = new TreeMap<>();
  final Map<ActiveName, EntityKey> activeNames = new HashMap<>();
  final TreeMap<Long, Stored<EventRow>> events = new TreeMap<>();
  final Map<String, Stored<ActionRow>> actions = new HashMap<>();
  final Map<IdempotencyKey, Stored<ReplyRow>> replies = new HashMap<>();
  private final Map<String, String> inFlight = new HashMap<>();
  private final Deque<Runnable> undo = new ArrayDeque<>();

  Committed commit(Commit commit) {
    long first = seq + 1;
    long last = seq + commit.events().size();
    try {
      commit.deletes().forEach(this::delete);
      // The same order as in SQL, where a rule is checked after each row.
      commit.puts().stream().filter(row -> !row.active()).forEach(row -> put(row, last));
      commit.puts().stream().filter(EntityRow::active).forEach(row -> put(row, last));
      commit.actions().stream().filter(row -> row.state().finished()).forEach(r -> put(r, last));
      commit.actions().stream().filter(row -> !row.state().finished()).forEach(r -> put(r, last));
      commit.replies().forEach(row -> add(row, last));
    } catch (ConstraintException e) {
      while (!undo.isEmpty()) {
        undo.pop().run();
      }
      throw e;
    }
    undo.clear();
    for (EventRow event : commit.events()) {
      seq++;
      events.put(seq, new Stored<>(seq, event));
    }
    return new Committed(first, last);
  }

  int trim(Trimmable what, Instant olderThan, int atMost) {
    return switch (what) {
      case EVENTS -> trimEvents(olderThan, atMost);
      case REPLIES -> trim(replies, ReplyRow::at, olderThan, atMost);
      case FINISHED_ACTIONS -> trim(actions, ActionRow::finishedAt, olderThan, atMost);
    };
  }

  private void delete(EntityKey key) {
    Stored<EntityRow> old = entities.get(key);
    if (old != null) {
      forgetName(old.row());
      replace(entities, key, null);
    }
  }

  private void put(EntityRow row, long changedSeq) {
    delete(row.key());
    ActiveName name = activeName(row);
    if (name != null) {
      if (activeNames.containsKey(name)) {
        throw new ConstraintException(Rule.ACTIVE_NAME, name.toString());
      }
      replace(activeNames, name, row.key());
    }
    replace(entities, row.key(), new Stored<>(changedSeq, row));
  }

  private void put(ActionRow row, long commitSeq) {
    Stored<ActionRow> old = actions.get(row.id());
    if (old != null && flying(old.row())) {
      replace(inFlight, Objects.requireNonNull(old.row().resourceKey()), null);
    }
    if (flying(row)) {
      String resource = Objects.requireNonNull(row.resourceKey());
      if (inFlight.containsKey(resource)) {
        throw new ConstraintException(Rule.ONE_IN_FLIGHT, resource);
      }
      replace(inFlight, resource, row.id());
    }
    replace(actions, row.id(), new Stored<>(old == null ? commitSeq : old.seq(), row));
  }

  private void add(ReplyRow row, long commitSeq) {
    if (replies.containsKey(row.key())) {
      throw new ConstraintException(Rule.REPLY_ONCE, row.key().toString());
    }
    replace(replies, row.key(), new Stored<>(commitSeq, row));
  }

  private void forgetName(EntityRow row) {
    ActiveName name = activeName(row);
    if (name != null) {
      replace(activeNames, name, null);
    }
  }

  private static @Nullable ActiveName activeName(EntityRow row) {
    String name = row.name();
    return row.active() && name != null
        ? new ActiveName(row.key().kind(), row.project(), name)
        : null;
  }

  private static boolean flying(ActionRow row) {
    return row.state() == ActionState.IN_FLIGHT && row.resourceKey() != null;
  }

  private <K, V> void replace(Map<K, V> map, K key, @Nullable V value) {
    V old = value == null ? map.remove(key) : map.put(key, value);
    undo.push(
        old == null
            ? () -> map.remove(key)
            : () -> {
              map.put(key, old);
            });
  }

  private int trimEvents(Instant olderThan, int atMost) {
    int removed = 0;
    while (removed < atMost
        && !events.isEmpty()
        && events.firstEntry().getValue().row().at().isBefore(olderThan)) {
      trimmedSeq = events.pollFirstEntry().getKey();
      removed++;
    }
    return removed;
  }

  private static <K, R> int trim(
      Map<K, Stored<R>> rows, Function<R, @Nullable Instant> age, Instant olderThan, int atMost) {
    record Aged<K>(K key, Instant at) {}
    List<Aged<K>> old =
        rows.entrySet().stream()
            .<Aged<K>>mapMulti(
                (entry, found) -> {
                  Instant at = age.apply(entry.getValue().row());
                  if (at != null && at.isBefore(olderThan)) {
                    found.accept(new Aged<>(entry.getKey(), at));
                  }
                })
            .sorted(Comparator.comparing(Aged::at))
            .limit(atMost)
            .toList();
    old.forEach(row -> rows.remove(row.key()));
    return old.size();
  }
}
