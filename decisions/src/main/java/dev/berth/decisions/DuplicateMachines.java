package dev.berth.decisions;

import dev.berth.model.Instance;
import dev.berth.model.ResourceVector;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Machines that several backends show, as one does for the processes of a computer and one for its
 * engine. What they have is counted for each, but an accelerator goes to one job, whichever backend
 * gave it.
 *
 * @param using those that are there by themselves and on which accelerators are used, by name
 */
record DuplicateMachines(Map<String, List<Instance>> using) {
  static DuplicateMachines among(Collection<Instance> machines) {
    Map<String, List<Instance>> using = new HashMap<>();
    for (Instance machine : machines) {
      if (machine.purchase() == null
          && machine.allocations().values().stream()
              .anyMatch(share -> !share.devices().isEmpty())) {
        using.computeIfAbsent(machine.name(), _ -> new ArrayList<>()).add(machine);
      }
    }
    return new DuplicateMachines(using);
  }

  /** The machine, with those in the list of its users who have its accelerators by another way. */
  Instance asUsed(Instance machine) {
    Instance used = machine;
    if (machine.purchase() == null) {
      for (Instance twin : using.getOrDefault(machine.name(), List.of())) {
        if (!twin.id().equals(machine.id())) {
          for (Map.Entry<String, ResourceVector> user : twin.allocations().entrySet()) {
            Set<String> common = new TreeSet<>(user.getValue().devices());
            common.retainAll(machine.capacity().devices());
            if (!common.isEmpty()) {
              used = used.allocate(user.getKey(), new ResourceVector(0, 0, 0, 0, common));
            }
          }
        }
      }
    }
    return used;
  }
}
