package dev.berth.simulation.invariants;

import dev.berth.model.Action;
import dev.berth.model.Entity;
import dev.berth.model.Instance;
import dev.berth.model.Operation;
import dev.berth.model.Purchase;
import dev.berth.simulation.Server;
import dev.berth.simulation.World;

/**
 * Berth starts jobs only on machines that it has connected to, and every call about such a job
 * names its machine.
 */
final class JobsAreWhereTheyCanRun implements Invariant {
  @Override
  public String name() {
    return "jobs are where they can run";
  }

  @Override
  public void handedOver(World world, Server server, Action action) {
    if (!(action.operation() instanceof Operation.OnJob)) {
      return;
    }
    String machine = action.machineId();
    boolean byBackend = world.provider(action.backend()).compute().runtime().isPresent();
    if (byBackend) {
      if (machine != null) {
        violated(world, action.id() + " names a machine, and its backend runs jobs itself");
      }
    } else if (action.operation() instanceof Operation.StartJob) {
      boolean equipped =
          machine != null
              && world
                  .records()
                  .find(Instance.class, Entity.Kind.INSTANCE, machine)
                  .flatMap(Instance::bought)
                  .filter(JobsAreWhereTheyCanRun::isConnected)
                  .isPresent();
      if (!equipped) {
        violated(world, action.id() + " starts a job where Berth cannot run one: " + machine);
      }
    } else if (machine == null && !isRemoval(action)) {
      violated(world, action.id() + " does not name the machine of its job");
    }
  }

  /** A machine has an address once its provider has started it, and not before. */
  private static boolean isConnected(Purchase purchase) {
    return purchase.endpoint() != null && Boolean.TRUE.equals(purchase.equipped());
  }

  /** What is left of a job is removed also when its machine is gone. */
  private static boolean isRemoval(Action action) {
    return action.operation() instanceof Operation.RemoveJob;
  }
}
