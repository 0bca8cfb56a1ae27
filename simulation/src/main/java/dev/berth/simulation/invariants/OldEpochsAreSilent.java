package dev.berth.simulation.invariants;

import dev.berth.ledger.Commit;
import dev.berth.ledger.Tenure;
import dev.berth.model.Action;
import dev.berth.simulation.Server;
import dev.berth.simulation.World;

/** A server that was taken over writes nothing, and hands nothing over once it knows. */
final class OldEpochsAreSilent implements Invariant {
  @Override
  public String name() {
    return "an old epoch is silent";
  }

  @Override
  public void committed(World world, Tenure tenure, Commit commit) {
    if (tenure.epoch() != world.epoch()) {
      violated(
          world,
          tenure.owner() + " wrote in epoch " + tenure.epoch() + ", and it is " + world.epoch());
    }
  }

  @Override
  public void handedOver(World world, Server server, Action action) {
    if (server.isFenced()) {
      violated(world, server.name() + " knows that it was taken over, and asks for " + action.id());
    }
    boolean known =
        world.records().unfinishedActions().stream().anyMatch(row -> row.id().equals(action.id()));
    if (server.isLatest() && !known) {
      violated(world, action.id() + " is handed over, and nobody wrote it down");
    }
  }
}
