package dev.berth.decisions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.Action;
import dev.berth.model.Entity;
import dev.berth.model.Run;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Everything that was decided so far. As a view it shows what is active, like the loop's memory;
 * tests also see what has ended.
 */
final class Memory implements View {
  private final Map<String, Entity> entities = new LinkedHashMap<>();
  private final Map<String, Action> actions = new LinkedHashMap<>();

  /** Takes a decision over; an end that changes afterwards is a failure. */
  void apply(Draft draft) {
    draft
        .entities()
        .forEach(
            (key, written) -> {
              Entity before = entities.get(key);
              if (written.isEmpty()) {
                entities.remove(key);
                return;
              }
              if (before != null && !before.active()) {
                assertThat(written.get()).as("what has ended does not change").isEqualTo(before);
              }
              entities.put(key, written.get());
            });
    draft.actions().forEach(action -> actions.put(action.id(), action));
  }

  <E extends Entity> Stream<E> all(Class<E> type) {
    return entities.values().stream().filter(type::isInstance).map(type::cast);
  }

  <E extends Entity> Optional<E> stored(Class<E> type, String id) {
    return all(type).filter(entity -> entity.id().equals(id)).findFirst();
  }

  Collection<Action> actions() {
    return actions.values();
  }

  Stream<Action> unfinishedActions() {
    return actions.values().stream().filter(action -> !action.state().finished());
  }

  @Override
  public <E extends Entity> Optional<E> find(Class<E> type, String id) {
    return stored(type, id).filter(Entity::active);
  }

  @Override
  public <E extends Entity> Collection<E> active(Class<E> type) {
    return all(type).filter(Entity::active).toList();
  }

  @Override
  public <E extends Entity> List<E> children(Class<E> type, String parent) {
    return all(type)
        .filter(Entity::active)
        .filter(entity -> parent.equals(entity.parent()))
        .toList();
  }

  @Override
  public Optional<Run> activeRun(String project, String name) {
    return all(Run.class)
        .filter(run -> run.active() && run.project().equals(project) && run.name().equals(name))
        .findFirst();
  }

  @Override
  public List<Run> waitingFor(String runId) {
    return all(Run.class)
        .filter(run -> run.active() && run.policy().after().contains(runId))
        .toList();
  }

  @Override
  public List<Action> actionsOn(String resourceId) {
    return unfinishedActions().filter(action -> action.resourceId().equals(resourceId)).toList();
  }

  @Override
  public Optional<Action> action(String id) {
    return Optional.ofNullable(actions.get(id)).filter(action -> !action.state().finished());
  }
}
