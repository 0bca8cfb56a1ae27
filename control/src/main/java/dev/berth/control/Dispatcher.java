package dev.berth.control;

import dev.berth.model.Action;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Carries actions out, one at a time for each job. A step machine: calls to backends happen
 * wherever the {@link Leaf} puts them.
 */
public final class Dispatcher {
  private final Leaf leaf;
  private final Map<String, Deque<Action>> waiting = new LinkedHashMap<>();

  /** Calls under way, by the resource that they are about. */
  private final Map<String, Action> busy = new LinkedHashMap<>();

  /** Where a backend is called; reports to {@link #finished} when it is done. */
  public interface Leaf {
    void carryOut(Action action);
  }

  public Dispatcher(Leaf leaf) {
    this.leaf = leaf;
  }

  /** Takes actions that are committed. Safe for any thread. */
  public synchronized void accept(Collection<Action> actions) {
    for (Action action : actions) {
      waiting.computeIfAbsent(action.resourceId(), _ -> new ArrayDeque<>()).add(action);
    }
  }

  /** Whether a step would hand something over. */
  synchronized boolean isReady() {
    return !busy.keySet().containsAll(waiting.keySet());
  }

  /** Hands over everything whose job is free; returns how many. */
  public int step() {
    List<Action> ready = new ArrayList<>();
    synchronized (this) {
      for (Iterator<Map.Entry<String, Deque<Action>>> lines = waiting.entrySet().iterator();
          lines.hasNext(); ) {
        Map.Entry<String, Deque<Action>> line = lines.next();
        if (!busy.containsKey(line.getKey())) {
          Action action = line.getValue().removeFirst();
          busy.put(line.getKey(), action);
          ready.add(action);
          if (line.getValue().isEmpty()) {
            lines.remove();
          }
        }
      }
    }
    ready.forEach(leaf::carryOut);
    return ready.size();
  }

  /** An action's call came back, whatever became of it. */
  public synchronized void finished(Action action) {
    busy.remove(action.resourceId(), action);
  }
}
