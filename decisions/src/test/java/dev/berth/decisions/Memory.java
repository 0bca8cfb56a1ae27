package dev.berth.decisions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.Action;
import dev.berth.model.Entity;
import dev.berth.model.Run;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Everything that was decided so far. As a view it shows what is active, like the loop's memory;
 * tests also see what has ended.
 */
final class Memory implements View {
  private final Map<String, Entity> entities = new LinkedHashMap<>();
  private final Map<String, Entity> alive = new LinkedHashMap<>();
  private final Map<String, Action> actions = new LinkedHashMap<>();
  private final Map<String, Action> unfinished = new LinkedHashMap<>();

  /** Takes a decision over; an end that changes afterwards is a failure. */
  void apply(Draft draft) {
    events += draft.events().size();
    draft
        .entities()
        .forEach(
            (key, written) -> {
              Entity before = entities.get(key);
              if (written.isEmpty()) {
                entities.remove(key);
                alive.remove(key);
                return;
              }
              Entity after = written.get();
              if (before != null && !before.active()) {
                assertThat(after).as("what has ended does not change").isEqualTo(before);
              }
              entities.put(key, after);
              if (after.active()) {
                alive.put(key, after);
              } else {
                alive.remove(key);
              }
            });
    draft
        .actions()
        .forEach(
            action -> {
              actions.put(action.id(), action);
              if (action.state().finished()) {
                unfinished.remove(action.id());
              } else {
                unfinished.put(action.id(), action);
              }
            });
  }

  <E extends Entity> Stream<E> all(Class<E> type) {
    return entities.values().stream().filter(type::isInstance).map(type::cast);
  }

  <E extends Entity> Optional<E> stored(Class<E> type, String id) {
    return Optional.ofNullable(entities.get(keyOf(type) + id)).map(type::cast);
  }

  private static String keyOf(Class<? extends Entity> type) {
    return type.getSimpleName().toLowerCase(Locale.ROOT) + "/";
  }

  Collection<Action> actions() {
    return actions.values();
  }

  Stream<Action> unfinishedActions() {
    return unfinished.values().stream();
  }

  private <E extends Entity> Stream<E> living(Class<E> type) {
    return alive.values().stream().filter(type::isInstance).map(type::cast);
  }

  @Override
  public <E extends Entity> Optional<E> find(Class<E> type, String id) {
    return stored(type, id).filter(Entity::active);
  }

  @Override
  public <E extends Entity> Collection<E> active(Class<E> type) {
    return living(type).toList();
  }

  @Override
  public <E extends Entity> List<E> children(Class<E> type, String parent) {
    return living(type).filter(entity -> parent.equals(entity.parent())).toList();
  }

  @Override
  public Optional<Run> activeRun(String project, String name) {
    return living(Run.class)
        .filter(run -> run.project().equals(project) && run.name().equals(name))
        .findFirst();
  }

  @Override
  public int activeRunsIn(String project) {
    return (int) living(Run.class).filter(run -> run.project().equals(project)).count();
  }

  /** How many events were told, which numbers them. */
  private long events;

  @Override
  public long newestEvent() {
    return events;
  }

  @Override
  public int activeRunsOf(String user) {
    return (int) living(Run.class).filter(run -> run.user().equals(user)).count();
  }

  @Override
  public List<Run> waitingFor(String runId) {
    return living(Run.class).filter(run -> run.policy().after().contains(runId)).toList();
  }

  @Override
  public List<Action> actionsOn(String resourceId) {
    return unfinishedActions().filter(action -> action.resourceId().equals(resourceId)).toList();
  }

  @Override
  public Optional<Action> action(String id) {
    return Optional.ofNullable(unfinished.get(id));
  }
}
