package dev.berth.control.accounts;

import dev.berth.model.Instance;
import dev.berth.spi.Compute;
import dev.berth.spi.OwnMachine;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The instances that stand for the machines that a backend has by itself. */
public final class OwnInstances {
  private OwnInstances() {}

  /**
   * Asks the backend.
   *
   * @param backend its name in the installation
   * @param type the name of its type
   */
  public static List<Instance> read(String backend, @Nullable String type, Compute compute) {
    return compute.ownMachines().stream().map(machine -> of(backend, type, machine)).toList();
  }

  private static Instance of(String backend, @Nullable String type, OwnMachine machine) {
    OwnMachine.Containers containers = machine.containers();
    return new Instance(
        machine.id(),
        "",
        machine.name(),
        backend,
        machine.region(),
        Instance.Status.IDLE,
        machine.capacity(),
        machine.accelerators(),
        Map.of(),
        0,
        null,
        containers == null
            ? null
            : new Instance.Engine(containers.privileged(), containers.mounts()),
        type);
  }
}
