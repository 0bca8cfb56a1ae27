package dev.berth.control;

import dev.berth.model.Action;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Carries actions out, one at a time for each job, and gives calls up that do not come back. A step
 * machine: calls to backends happen wherever the {@link Leaf} puts them.
 */
public final class Dispatcher {
  /** So long a call is waited for: twice as long as the contract allows it to take. */
  static final Duration PATIENCE = Duration.ofMinutes(2);

  /**
   * So many calls of one backend may be given up and not be back. Whoever is that far gone gets no
   * more of them: its calls are waited for, and nothing piles up behind a wall.
   */
  static final int MOST_ABANDONED = 64;

  private final Leaf leaf;
  private final InstantSource clock;
  private final Map<String, Deque<Action>> waiting = new LinkedHashMap<>();

  /** Calls under way, by the resource that they are about. */
  private final Map<String, Flight> busy = new LinkedHashMap<>();

  /**
   * Calls that nobody waits for any more and that have not come back. Each by itself: the same
   * action may be under way once more.
   */
  private final Set<Action> abandoned = Collections.newSetFromMap(new IdentityHashMap<>());

  /** Where a backend is called; reports to {@link #finished} when it is done. */
  public interface Leaf {
    void carryOut(Action action);
  }

  /**
   * A call under way.
   *
   * @param answered whether it came back or was given up, so that only its report is waited for
   */
  private record Flight(Action action, Instant until, boolean answered) {}

  public Dispatcher(Leaf leaf, InstantSource clock) {
    this.leaf = leaf;
    this.clock = clock;
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

  /** When there is something to hand over or to give up; empty for never, as it is now. */
  synchronized Optional<Instant> next(Instant now) {
    return isReady()
        ? Optional.of(now)
        : busy.values().stream()
            .filter(this::mayBeGivenUp)
            .map(Flight::until)
            .min(Instant::compareTo);
  }

  /** Hands over everything whose job is free; returns how many. */
  public int step() {
    List<Action> ready = new ArrayList<>();
    Instant until = clock.instant().plus(PATIENCE);
    synchronized (this) {
      for (Iterator<Map.Entry<String, Deque<Action>>> lines = waiting.entrySet().iterator();
          lines.hasNext(); ) {
        Map.Entry<String, Deque<Action>> line = lines.next();
        if (!busy.containsKey(line.getKey())) {
          Action action = line.getValue().removeFirst();
          busy.put(line.getKey(), new Flight(action, until, false));
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

  /** Gives up the calls whose time is over; whoever asks reports them. */
  synchronized List<Action> giveUp() {
    Instant now = clock.instant();
    List<Action> given = new ArrayList<>();
    for (Map.Entry<String, Flight> entry : busy.entrySet()) {
      Flight flight = entry.getValue();
      if (flight.until().isAfter(now)) {
        // Those behind were handed over later.
        break;
      }
      if (mayBeGivenUp(flight)) {
        abandoned.add(flight.action());
        given.add(flight.action());
        entry.setValue(new Flight(flight.action(), flight.until(), true));
      }
    }
    return given;
  }

  private boolean mayBeGivenUp(Flight flight) {
    String backend = flight.action().backend();
    return !flight.answered()
        && abandoned.stream().filter(action -> action.backend().equals(backend)).count()
            < MOST_ABANDONED;
  }

  /**
   * A call came back.
   *
   * @return whether anybody still waits for it
   */
  synchronized boolean answered(Action action) {
    if (abandoned.remove(action)) {
      return false;
    }
    busy.computeIfPresent(
        action.resourceId(),
        (_, flight) ->
            flight.action().equals(action) ? new Flight(action, flight.until(), true) : flight);
    return true;
  }

  /** What became of an action's call is decided. */
  public synchronized void finished(Action action) {
    busy.computeIfPresent(
        action.resourceId(), (_, flight) -> flight.action().equals(action) ? null : flight);
  }
}
