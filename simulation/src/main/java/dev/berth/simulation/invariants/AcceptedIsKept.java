package dev.berth.simulation.invariants;

import dev.berth.decisions.Reply;
import dev.berth.ledger.Commit;
import dev.berth.ledger.EventRow;
import dev.berth.ledger.Tenure;
import dev.berth.simulation.World;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** A submit that was accepted is in the events, once, however often it was sent. */
final class AcceptedIsKept implements Invariant {
  private static final String SUBMIT = "submit ";

  private final Set<String> submitted = new HashSet<>();
  private final Map<String, Reply> answers = new HashMap<>();

  @Override
  public String name() {
    return "an accepted submit is kept, once";
  }

  @Override
  public void committed(World world, Tenure tenure, Commit commit) {
    for (EventRow event : commit.events()) {
      if (event.kind().equals("run.submitted")) {
        submitted.add(event.entity().id());
        // The number of the run is the first part of its id, the number of the try the second.
        String run = event.entity().id().replaceFirst("t.*", "t");
        long before = submitted.stream().filter(id -> id.startsWith(run)).count();
        if (before > 1) {
          violated(world, event.entity().id() + " is the second run of one submit");
        }
      }
    }
  }

  @Override
  public void answered(World world, String request, Reply reply) {
    Reply before = answers.put(request, reply);
    if (before != null && !before.equals(reply)) {
      violated(world, request + " was answered with " + before + ", and then with " + reply);
    }
    if (!request.startsWith(SUBMIT)) {
      return;
    }
    if (!(reply instanceof Reply.Accepted accepted)) {
      violated(world, request + ", whose name nobody else uses, was refused: " + reply);
    } else if (!submitted.contains(accepted.runId())) {
      violated(world, request + " was accepted, and no event tells of " + accepted.runId());
    }
  }
}
