package dev.berth.ledger;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Everything that one transaction writes. Each entity and each action appears once, with the state
 * it shall have afterwards.
 */
public record Commit(
    List<EntityRow> puts,
    List<EntityKey> deletes,
    List<EventRow> events,
    List<ActionRow> actions,
    List<ReplyRow> replies) {
  public Commit {
    puts = List.copyOf(puts);
    deletes = List.copyOf(deletes);
    events = List.copyOf(events);
    actions = List.copyOf(actions);
    replies = List.copyOf(replies);
    Set<EntityKey> keys = new HashSet<>(deletes);
    puts.forEach(put -> keys.add(put.key()));
    requireOnce("an entity", keys, puts.size() + deletes.size());
    Set<String> ids = new HashSet<>();
    actions.forEach(action -> ids.add(action.id()));
    requireOnce("an action", ids, actions.size());
  }

  public static Builder builder() {
    return new Builder();
  }

  /** The number of rows that are written or deleted. */
  public int size() {
    return puts.size() + deletes.size() + events.size() + actions.size() + replies.size();
  }

  private static void requireOnce(String what, Collection<?> distinct, int given) {
    if (distinct.size() != given) {
      throw new IllegalArgumentException(what + " appears twice in one commit");
    }
  }

  /**
   * Gathers the changes of many messages. What is said last about an entity or action wins; events
   * and replies are all kept, in order.
   */
  public static final class Builder {
    private final Map<EntityKey, Optional<EntityRow>> entities = new LinkedHashMap<>();
    private final Map<String, ActionRow> actions = new LinkedHashMap<>();
    private final List<EventRow> events = new ArrayList<>();
    private final List<ReplyRow> replies = new ArrayList<>();

    private Builder() {}

    public Builder put(EntityRow row) {
      entities.put(row.key(), Optional.of(row));
      return this;
    }

    public Builder delete(EntityKey key) {
      entities.put(key, Optional.empty());
      return this;
    }

    public Builder event(EventRow row) {
      events.add(row);
      return this;
    }

    public Builder action(ActionRow row) {
      actions.put(row.id(), row);
      return this;
    }

    public Builder reply(ReplyRow row) {
      replies.add(row);
      return this;
    }

    public Commit build() {
      List<EntityRow> puts = new ArrayList<>();
      List<EntityKey> deletes = new ArrayList<>();
      entities.forEach((key, row) -> row.ifPresentOrElse(puts::add, () -> deletes.add(key)));
      return new Commit(puts, deletes, events, List.copyOf(actions.values()), replies);
    }
  }
}
