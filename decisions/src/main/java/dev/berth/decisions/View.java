package dev.berth.decisions;

import dev.berth.model.Action;
import dev.berth.model.Entity;
import dev.berth.model.Run;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** The nouns whose life goes on, as the last decision left them. */
public interface View {
  <E extends Entity> Optional<E> find(Class<E> type, String id);

  /** All active nouns of a kind, the oldest first. */
  <E extends Entity> Collection<E> active(Class<E> type);

  /** The active nouns of a kind that belong to another noun, the oldest first. */
  <E extends Entity> List<E> children(Class<E> type, String parent);

  Optional<Run> activeRun(String project, String name);

  /** How many runs of a project are active. */
  int activeRunsIn(String project);

  /** How many runs of a user are active, in all projects. */
  int activeRunsOf(String user);

  /** The runs that wait for another one. */
  List<Run> waitingFor(String runId);

  /** The number of the newest event that was committed. */
  long newestEvent();

  /** An action that is not finished. */
  Optional<Action> action(String id);

  /** The actions on a resource that are not finished. */
  List<Action> actionsOn(String resourceId);
}
