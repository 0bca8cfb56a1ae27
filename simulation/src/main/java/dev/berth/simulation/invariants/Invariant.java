package dev.berth.simulation.invariants;

import dev.berth.decisions.Reply;
import dev.berth.ledger.Commit;
import dev.berth.ledger.Tenure;
import dev.berth.model.Action;
import dev.berth.simulation.Server;
import dev.berth.simulation.Violation;
import dev.berth.simulation.World;

/**
 * Something that must always hold. One is made for each life, so it may remember what it saw; it
 * tells {@link World#report} where it does not hold.
 */
public interface Invariant {
  /** What must hold, as a sentence without its full stop. */
  String name();

  /** A commit is kept; the records are still as they were before it. */
  default void committed(World world, Tenure tenure, Commit commit) {}

  /** A server hands an action over. */
  default void handedOver(World world, Server server, Action action) {}

  /** A server answers a request, which carries the same name each time that it is sent. */
  default void answered(World world, String request, Reply reply) {}

  /** A step is over. */
  default void check(World world) {}

  /** The work is done, and nothing has happened for as long as Berth asks for. */
  default void atEnd(World world) {}

  /** Says that it does not hold. */
  default void violated(World world, String how) {
    world.report(new Violation(name(), how));
  }
}
