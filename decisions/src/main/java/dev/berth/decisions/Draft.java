package dev.berth.decisions;

import dev.berth.model.Action;
import dev.berth.model.Attempt;
import dev.berth.model.Entity;
import dev.berth.model.Run;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** The changes of one decision, seen as if they were already made. */
public final class Draft implements View {
  private final View base;
  private final Map<String, Optional<Entity>> entities = new LinkedHashMap<>();

  /** The same by type and id: one batch writes many, and each question is about one type. */
  private final Map<Class<?>, Map<String, Optional<Entity>>> byType = new HashMap<>();

  private final Map<String, Action> actions = new LinkedHashMap<>();
  private final List<Event> events = new ArrayList<>();
  private final Map<OfferRequirement, Instant> lookups = new LinkedHashMap<>();

  public Draft(View base) {
    this.base = base;
  }

  /** Writes a noun; a step that its life does not allow is a mistake of ours and throws. */
  public void put(Entity entity) {
    find(entity.getClass(), entity.id()).ifPresent(before -> Transitions.check(before, entity));
    write(entity, Optional.of(entity));
  }

  public void delete(Entity entity) {
    write(entity, Optional.empty());
  }

  private void write(Entity entity, Optional<Entity> value) {
    entities.put(key(entity.kind(), entity.id()), value);
    byType.computeIfAbsent(entity.getClass(), _ -> new LinkedHashMap<>()).put(entity.id(), value);
  }

  private Map<String, Optional<Entity>> written(Class<?> type) {
    return byType.getOrDefault(type, Map.of());
  }

  public void put(Action action) {
    actions.put(action.id(), action);
  }

  /** One about something, whose name people know better than its id. */
  public void event(String kind, Entity about, String actor, Map<String, Object> data) {
    Map<String, Object> named = new LinkedHashMap<>(data);
    if (about instanceof Run run) {
      named.putIfAbsent("name", run.name());
    } else if (about instanceof Attempt attempt) {
      find(Run.class, attempt.runId()).ifPresent(run -> named.putIfAbsent("run", run.name()));
    }
    event(new Event(kind, about.kind().word(), about.id(), about.project(), actor, named));
  }

  /** One about something that is kept elsewhere. */
  void event(Event event) {
    events.add(event);
  }

  /**
   * Asks for offers, to be found in the view of a later decision.
   *
   * @param since those of before are not enough; the beginning of time where any will do
   */
  void lookUp(OfferRequirement requirement, Instant since) {
    lookups.merge(requirement, since, (one, other) -> one.isBefore(other) ? other : one);
  }

  /** The offers that are asked for, each with the time since which answers are new enough. */
  public Map<OfferRequirement, Instant> lookups() {
    return Collections.unmodifiableMap(lookups);
  }

  /** Written nouns by key; an empty value is a deletion. */
  public Map<String, Optional<Entity>> entities() {
    return Collections.unmodifiableMap(entities);
  }

  public Collection<Action> actions() {
    return Collections.unmodifiableCollection(actions.values());
  }

  public List<Event> events() {
    return Collections.unmodifiableList(events);
  }

  /** Takes over the changes of a draft that was made upon this one. */
  public void absorb(Draft upper) {
    entities.putAll(upper.entities);
    upper.byType.forEach(
        (type, values) -> byType.computeIfAbsent(type, _ -> new LinkedHashMap<>()).putAll(values));
    actions.putAll(upper.actions);
    events.addAll(upper.events);
    upper.lookups.forEach(this::lookUp);
  }

  @Override
  public <E extends Entity> Optional<E> find(Class<E> type, String id) {
    Optional<Entity> written = written(type).get(id);
    return written == null ? base.find(type, id) : written.map(type::cast);
  }

  @Override
  public <E extends Entity> Collection<E> active(Class<E> type) {
    return overlaid(base.active(type), type, _ -> true);
  }

  @Override
  public <E extends Entity> List<E> children(Class<E> type, String parent) {
    return List.copyOf(
        overlaid(base.children(type, parent), type, entity -> parent.equals(entity.parent())));
  }

  private <E extends Entity> Collection<E> overlaid(
      Collection<E> before, Class<E> type, Predicate<E> belongs) {
    Map<String, E> result = new LinkedHashMap<>();
    before.forEach(entity -> result.put(entity.id(), entity));
    written(type)
        .forEach(
            (id, value) -> {
              E entity = value.map(type::cast).orElse(null);
              if (entity == null) {
                result.remove(id);
              } else if (belongs.test(entity)) {
                if (entity.active()) {
                  result.put(id, entity);
                } else {
                  result.remove(id);
                }
              }
            });
    return result.values();
  }

  @Override
  public Optional<Run> activeRun(String project, String name) {
    for (Optional<Entity> written : written(Run.class).values()) {
      if (written.orElse(null) instanceof Run run
          && run.active()
          && run.project().equals(project)
          && run.name().equals(name)) {
        return Optional.of(run);
      }
    }
    return base.activeRun(project, name)
        .flatMap(run -> find(Run.class, run.id()))
        .filter(Run::active);
  }

  @Override
  public int activeRunsIn(String project) {
    return base.activeRunsIn(project) + added(run -> run.project().equals(project));
  }

  @Override
  public int activeRunsOf(String user) {
    return base.activeRunsOf(user) + added(run -> run.user().equals(user));
  }

  /** How many more of some runs are active than without this draft. */
  private int added(Predicate<Run> wanted) {
    Predicate<Run> counted = wanted.and(Run::active);
    int more = 0;
    for (Map.Entry<String, Optional<Entity>> written : written(Run.class).entrySet()) {
      if (written.getValue().map(Run.class::cast).filter(counted).isPresent()) {
        more++;
      }
      if (base.find(Run.class, written.getKey()).filter(counted).isPresent()) {
        more--;
      }
    }
    return more;
  }

  @Override
  public List<Run> waitingFor(String runId) {
    Map<String, Run> waiting = new LinkedHashMap<>();
    for (Run run : base.waitingFor(runId)) {
      find(Run.class, run.id())
          .filter(current -> isWaiting(current, runId))
          .ifPresent(current -> waiting.put(current.id(), current));
    }
    for (Optional<Entity> written : written(Run.class).values()) {
      if (written.orElse(null) instanceof Run run && isWaiting(run, runId)) {
        waiting.put(run.id(), run);
      }
    }
    return List.copyOf(waiting.values());
  }

  private static boolean isWaiting(Run run, String runId) {
    return run.active() && run.policy().after().contains(runId);
  }

  @Override
  public long newestEvent() {
    return base.newestEvent();
  }

  /** The least number that an event of this draft can get. */
  long nextEvent() {
    return newestEvent() + 1;
  }

  @Override
  public Optional<Action> action(String id) {
    Action written = actions.get(id);
    return written == null
        ? base.action(id)
        : Optional.of(written).filter(action -> !action.state().finished());
  }

  @Override
  public List<Action> actionsOn(String resourceId) {
    Map<String, Action> found = new LinkedHashMap<>();
    base.actionsOn(resourceId).forEach(action -> found.put(action.id(), action));
    for (Action written : actions.values()) {
      if (written.resourceId().equals(resourceId)) {
        found.put(written.id(), written);
      }
    }
    return found.values().stream().filter(action -> !action.state().finished()).toList();
  }

  public static String key(Entity.Kind kind, String id) {
    return kind.word() + "/" + id;
  }
}
