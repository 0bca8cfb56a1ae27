package dev.berth.simulation;

import dev.berth.control.Codec;
import dev.berth.ledger.ActionRow;
import dev.berth.ledger.Commit;
import dev.berth.ledger.EntityKey;
import dev.berth.ledger.EventRow;
import dev.berth.model.Entity;
import dev.berth.model.Instance;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** What the ledger holds, as the commits that were kept say it. */
public final class Records {
  private final Map<EntityKey, Entity> entities = new TreeMap<>();
  private final Map<String, ActionRow> unfinished = new TreeMap<>();
  private final List<EventRow> events = new ArrayList<>();

  void apply(Commit commit) {
    commit.deletes().forEach(entities::remove);
    commit.puts().forEach(row -> entities.put(row.key(), Codec.entity(row)));
    for (ActionRow action : commit.actions()) {
      if (action.state().finished()) {
        unfinished.remove(action.id());
      } else {
        unfinished.put(action.id(), action);
      }
    }
    events.addAll(commit.events());
  }

  public <E extends Entity> Optional<E> find(Class<E> type, Entity.Kind kind, String id) {
    return Optional.ofNullable(entities.get(new EntityKey(kind.word(), id))).map(type::cast);
  }

  /** All of a kind, also those that have ended. */
  public <E extends Entity> Stream<E> all(Class<E> type) {
    return entities.values().stream().filter(type::isInstance).map(type::cast);
  }

  public Collection<ActionRow> unfinishedActions() {
    return Collections.unmodifiableCollection(unfinished.values());
  }

  public List<EventRow> events() {
    return Collections.unmodifiableList(events);
  }

  /** What is not finished, in words; machines that are there by themselves never are. */
  public List<String> unfinished() {
    return Stream.concat(
            entities.values().stream()
                .filter(Records::isUnderWay)
                .map(entity -> entity.kind().word() + " " + entity.id() + " " + entity.state()),
            unfinished.values().stream()
                .map(action -> "action " + action.id() + " " + action.state()))
        .toList();
  }

  /** Whether nothing is under way. */
  public boolean isQuiet() {
    return unfinished.isEmpty() && entities.values().stream().noneMatch(Records::isUnderWay);
  }

  private static boolean isUnderWay(Entity entity) {
    return entity.active() && !(entity instanceof Instance machine && machine.purchase() == null);
  }
}
