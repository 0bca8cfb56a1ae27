package dev.berth.control;

import dev.berth.decisions.Draft;
import dev.berth.decisions.Message;
import dev.berth.decisions.View;
import dev.berth.ledger.ActionRow;
import dev.berth.ledger.EntityRow;
import dev.berth.model.Action;
import dev.berth.model.Entity;
import dev.berth.model.Instance;
import dev.berth.model.MachineRequest;
import dev.berth.model.Purchase;
import dev.berth.model.Run;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** All nouns whose life goes on, in memory. Written only by the loop, after a commit. */
final class ActiveSet implements View {
  private final Map<Class<? extends Entity>, Map<String, Entity>> entities = new HashMap<>();
  private final Map<String, Map<String, Entity>> children = new HashMap<>();
  private final Map<String, String> runNames = new HashMap<>();
  private final Map<String, Action> actions = new LinkedHashMap<>();
  private final Map<String, Codec.Unknown> unknownFields = new HashMap<>();

  /** Those, by the resource that they are about. */
  private final Map<String, Map<String, Action>> actionsOn = new HashMap<>();

  /** What is to be told when its time has come. */
  private final DueTimes dueTimes = new DueTimes();

  /** How many runs there are, by project and by user. */
  private final Map<String, Integer> runsIn = new HashMap<>();

  private final Map<String, Integer> runsOf = new HashMap<>();

  /** The runs that wait for another one, by its id. */
  private final Map<String, Set<String>> waiting = new HashMap<>();

  /** The number of the newest event that was committed. */
  private long newestEvent;

  /** From now on this is the newest event. */
  void at(long seq) {
    newestEvent = seq;
  }

  void load(EntityRow row) {
    if (!Codec.knows(row)) {
      // A newer server's business, which goes on when there is one again.
      return;
    }
    Entity entity = Codec.entity(row);
    put(entity);
    Codec.Unknown unknown = Codec.unknownFields(row);
    if (unknown != null) {
      unknownFields.put(Draft.key(entity.kind(), entity.id()), unknown);
    }
  }

  void load(Entity entity) {
    put(entity);
  }

  void load(Action action) {
    keep(action);
  }

  void load(ActionRow row) {
    if (!Codec.knows(row)) {
      // As for nouns; it stays in the ledger as it is.
      return;
    }
    Action action = pinned(Codec.action(row));
    keep(action);
    Codec.Unknown unknown = Codec.unknownFields(row);
    if (unknown != null) {
      unknownFields.put(key(action), unknown);
    }
  }

  /** Of what was asked for before requests were pinned, the rest is found beside it. */
  private Action pinned(Action action) {
    MachineRequest request = action.machine().filter(one -> one.offer() == null).orElse(null);
    Purchase purchase =
        find(Instance.class, action.resourceId()).flatMap(Instance::bought).orElse(null);
    return request == null || purchase == null
        ? action
        : action.asking(request.of(purchase.offer(), newestEvent));
  }

  private static String key(Action action) {
    return "action/" + action.id();
  }

  void apply(Draft draft) {
    draft
        .entities()
        .forEach((key, written) -> written.ifPresentOrElse(this::put, () -> remove(key)));
    for (Action action : draft.actions()) {
      if (action.state().finished()) {
        actions.remove(action.id());
        unknownFields.remove(key(action));
        dueTimes.forget(action.id());
        forget(action);
      } else {
        keep(action);
      }
    }
  }

  private void forget(Action action) {
    Map<String, Action> others = actionsOn.get(action.resourceId());
    if (others != null) {
      others.remove(action.id());
      if (others.isEmpty()) {
        actionsOn.remove(action.resourceId());
      }
    }
  }

  private void keep(Action action) {
    actions.put(action.id(), action);
    actionsOn
        .computeIfAbsent(action.resourceId(), _ -> new LinkedHashMap<>())
        .put(action.id(), action);
    dueTimes.put(
        action.id(),
        action.state() == Action.State.PENDING ? action.due() : null,
        new Message.ActionDue(action.id()));
  }

  DueTimes dueTimes() {
    return dueTimes;
  }

  Codec.@Nullable Unknown unknownFields(Entity entity) {
    return unknownFields.get(Draft.key(entity.kind(), entity.id()));
  }

  Codec.@Nullable Unknown unknownFields(Action action) {
    return unknownFields.get(key(action));
  }

  private void put(Entity entity) {
    forget(entity.getClass(), entity.id());
    if (!entity.active()) {
      unknownFields.remove(Draft.key(entity.kind(), entity.id()));
      return;
    }
    byType(entity.getClass()).put(entity.id(), entity);
    if (entity.parent() != null) {
      children
          .computeIfAbsent(childKey(entity.getClass(), entity.parent()), _ -> new LinkedHashMap<>())
          .put(entity.id(), entity);
    }
    if (entity instanceof Run run) {
      runNames.put(run.project() + "/" + run.name(), run.id());
      runsIn.merge(run.project(), 1, Integer::sum);
      runsOf.merge(run.user(), 1, Integer::sum);
      run.policy()
          .after()
          .forEach(other -> waiting.computeIfAbsent(other, _ -> new TreeSet<>()).add(run.id()));
    }
    dueTimes.put(
        Draft.key(entity.kind(), entity.id()),
        entity.due(),
        new Message.Due(entity.kind(), entity.id()));
  }

  private void remove(String key) {
    find(key).ifPresent(entity -> forget(entity.getClass(), entity.id()));
  }

  /** An active noun by the key that drafts have for it. */
  Optional<Entity> find(String key) {
    String id = key.substring(key.indexOf('/') + 1);
    return entities.values().stream()
        .flatMap(all -> Optional.ofNullable(all.get(id)).stream())
        .filter(entity -> Draft.key(entity.kind(), id).equals(key))
        .findFirst();
  }

  private void forget(Class<? extends Entity> type, String id) {
    Entity before = byType(type).get(id);
    if (before == null) {
      return;
    }
    if (before instanceof Run run) {
      runNames.remove(run.project() + "/" + run.name());
      runsIn.computeIfPresent(run.project(), (_, count) -> count == 1 ? null : count - 1);
      runsOf.computeIfPresent(run.user(), (_, count) -> count == 1 ? null : count - 1);
      run.policy().after().forEach(other -> stopWaiting(other, run.id()));
    }
    dueTimes.forget(Draft.key(before.kind(), id));
    if (before.parent() != null) {
      String key = childKey(type, before.parent());
      Map<String, Entity> siblings = children.get(key);
      if (siblings != null) {
        siblings.remove(id);
        if (siblings.isEmpty()) {
          children.remove(key);
        }
      }
    }
    byType(type).remove(id);
  }

  private void stopWaiting(String other, String runId) {
    Set<String> runs = waiting.get(other);
    if (runs != null) {
      runs.remove(runId);
      if (runs.isEmpty()) {
        waiting.remove(other);
      }
    }
  }

  private Map<String, Entity> byType(Class<? extends Entity> type) {
    return entities.computeIfAbsent(type, _ -> new TreeMap<>());
  }

  private static String childKey(Class<? extends Entity> type, String parent) {
    return type.getSimpleName() + "/" + parent;
  }

  @Override
  public <E extends Entity> Optional<E> find(Class<E> type, String id) {
    return Optional.ofNullable(byType(type).get(id)).map(type::cast);
  }

  /** As the view says, and without a copy: it changes with the next commit. */
  @Override
  public <E extends Entity> Collection<E> active(Class<E> type) {
    @SuppressWarnings("unchecked") // what is under a type is of it
    Collection<E> all = (Collection<E>) byType(type).values();
    return Collections.unmodifiableCollection(all);
  }

  @Override
  public <E extends Entity> List<E> children(Class<E> type, String parent) {
    return children.getOrDefault(childKey(type, parent), Map.of()).values().stream()
        .map(type::cast)
        .toList();
  }

  @Override
  public Optional<Run> activeRun(String project, String name) {
    return Optional.ofNullable(runNames.get(project + "/" + name))
        .flatMap(id -> find(Run.class, id));
  }

  @Override
  public int activeRunsIn(String project) {
    return runsIn.getOrDefault(project, 0);
  }

  @Override
  public int activeRunsOf(String user) {
    return runsOf.getOrDefault(user, 0);
  }

  @Override
  public List<Run> waitingFor(String runId) {
    return waiting.getOrDefault(runId, Set.of()).stream()
        .flatMap(id -> find(Run.class, id).stream())
        .toList();
  }

  @Override
  public long newestEvent() {
    return newestEvent;
  }

  @Override
  public Optional<Action> action(String id) {
    return Optional.ofNullable(actions.get(id));
  }

  @Override
  public List<Action> actionsOn(String resourceId) {
    return List.copyOf(actionsOn.getOrDefault(resourceId, Map.of()).values());
  }

  Collection<Action> unfinishedActions() {
    return actions.values();
  }
}
