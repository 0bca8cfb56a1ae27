package dev.berth.control;

import dev.berth.decisions.View;
import dev.berth.model.Entity;
import dev.berth.model.Fleet;
import dev.berth.model.Placement;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Who waits for an offer: replicas in line, and fleets whose time has come. Only for the thread
 * that steps the loop.
 */
final class Buyers {
  /** The placements that look for a place. */
  private final Set<String> searching = new HashSet<>();

  /** When fleets look for machines. */
  private final Map<String, Instant> fleetsDue = new HashMap<>();

  /** Knows exactly those of the view. */
  void loaded(View view) {
    searching.clear();
    view.active(Placement.class).forEach(this::note);
    fleetsDue.clear();
    view.active(Fleet.class).forEach(this::note);
  }

  void written(Entity entity) {
    if (entity instanceof Placement placement) {
      note(placement);
    } else if (entity instanceof Fleet fleet) {
      note(fleet);
    }
  }

  void deleted(Entity entity) {
    if (entity instanceof Placement placement) {
      searching.remove(placement.id());
    } else if (entity instanceof Fleet fleet) {
      fleetsDue.remove(fleet.id());
    }
  }

  private void note(Placement placement) {
    if (placement.phase() == Placement.State.RESERVING) {
      searching.add(placement.id());
    } else {
      searching.remove(placement.id());
    }
  }

  private void note(Fleet fleet) {
    Instant due = fleet.active() ? fleet.due() : null;
    if (due == null) {
      fleetsDue.remove(fleet.id());
    } else {
      fleetsDue.put(fleet.id(), due);
    }
  }

  boolean isAnyoneThere(Instant now) {
    return !searching.isEmpty() || fleetsDue.values().stream().anyMatch(due -> !due.isAfter(now));
  }
}
