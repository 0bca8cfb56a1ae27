package dev.berth.catalog.read;

import dev.berth.model.config.AcceleratorVendor;
import dev.berth.model.offers.Accelerators;
import dev.berth.spi.OfferSource.RefusedRow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Brings rows of accelerators together with the machines of their zone, once all rows are read. A
 * row that no offer came of is refused.
 */
final class SkypilotJoin {
  private final List<SkypilotRow> accelerators = new ArrayList<>();
  private final List<SkypilotRow> boundMachines = new ArrayList<>();
  private final Map<String, List<SkypilotRow>> machinesByZone = new HashMap<>();

  /** Takes a machine and the accelerators that it takes. */
  interface Joined {
    void add(SkypilotRow machine, SkypilotRow accelerators) throws RowRefusedException;
  }

  /**
   * Keeps what is to be joined.
   *
   * @return whether the row makes no offer without another row
   */
  boolean takes(SkypilotRow row) {
    if (row.instanceType().isEmpty()) {
      boolean slice =
          Accelerators.find(row.accelerator())
              .filter(it -> it.vendor() == AcceleratorVendor.GOOGLE)
              .isPresent();
      if (!slice) {
        accelerators.add(row);
      }
      return !slice;
    }
    if (!row.accelerator().isEmpty()) {
      return false;
    }
    machinesByZone.computeIfAbsent(zone(row), key -> new ArrayList<>()).add(row);
    boolean bound = GcpMachines.needsAccelerators(row.instanceType());
    if (bound) {
      boundMachines.add(row);
    }
    return bound;
  }

  List<RefusedRow> make(Joined joined) {
    List<RefusedRow> refused = new ArrayList<>();
    Set<SkypilotRow> used = new HashSet<>();
    for (SkypilotRow row : accelerators) {
      RefusalReason reason = RefusalReason.NO_HOST;
      boolean sold = false;
      for (SkypilotRow machine : machinesByZone.getOrDefault(zone(row), List.of())) {
        if (GcpMachines.fits(
            row.accelerator(),
            row.count(),
            machine.instanceType(),
            machine.cpus(),
            machine.memoryGib())) {
          try {
            joined.add(machine, row);
            used.add(machine);
            sold = true;
          } catch (RowRefusedException e) {
            reason = e.reason();
          }
        }
      }
      if (!sold) {
        refused.add(new RefusedRow(row.where(), reason.sentence()));
      }
    }
    for (SkypilotRow machine : boundMachines) {
      if (!used.contains(machine)) {
        refused.add(
            new RefusedRow(machine.where(), RefusalReason.NO_ACCELERATOR_FOR_HOST.sentence()));
      }
    }
    return refused;
  }

  private static String zone(SkypilotRow row) {
    return row.place().zone() == null ? row.place().region() : row.place().zone();
  }
}
