package dev.berth.simulation.invariants;

import dev.berth.ledger.ActionRow;
import dev.berth.ledger.ActionState;
import dev.berth.ledger.Commit;
import dev.berth.ledger.EntityKey;
import dev.berth.ledger.EntityRow;
import dev.berth.ledger.EventRow;
import dev.berth.ledger.Tenure;
import dev.berth.simulation.World;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** What has ended does not change any more, and ends once. */
final class EndsAreFinal implements Invariant {
  private final Map<EntityKey, EntityRow> ended = new HashMap<>();
  private final Map<String, ActionState> finished = new HashMap<>();
  private final Set<String> endings = new HashSet<>();

  @Override
  public String name() {
    return "what has ended does not change";
  }

  @Override
  public void committed(World world, Tenure tenure, Commit commit) {
    for (EntityRow row : commit.puts()) {
      EntityRow before = ended.get(row.key());
      if (before != null && !before.equals(row)) {
        violated(world, row.key() + " was " + before.state() + " and becomes " + row.state());
      }
      if (!row.active()) {
        ended.put(row.key(), row);
      }
    }
    for (EventRow event : commit.events()) {
      if (event.kind().endsWith(".ended")
          && !endings.add(event.kind() + " " + event.entity().id())) {
        violated(world, event.kind() + " of " + event.entity().id() + " happens twice");
      }
    }
    for (ActionRow action : commit.actions()) {
      ActionState before = finished.get(action.id());
      // A job can be asked to stop, and killed, more than once.
      boolean again = before != null && action.kind().equals("START_JOB");
      if (again && before != action.state()) {
        violated(world, action.id() + " was " + before + " and becomes " + action.state());
      }
      if (action.state().finished()) {
        finished.put(action.id(), action.state());
      }
    }
  }
}
