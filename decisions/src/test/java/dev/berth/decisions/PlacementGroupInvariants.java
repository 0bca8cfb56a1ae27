package dev.berth.decisions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.Action;
import dev.berth.model.Instance;
import dev.berth.model.Purchase;
import dev.berth.model.Resource;
import dev.berth.model.ResourceType;
import java.util.List;
import java.util.Optional;

/** What is always true of placement groups and the machines in them. */
final class PlacementGroupInvariants {
  private final Memory memory;

  private PlacementGroupInvariants(Memory memory) {
    this.memory = memory;
  }

  static void check(Memory memory) {
    PlacementGroupInvariants invariants = new PlacementGroupInvariants(memory);
    invariants.whoWaitsHasSomethingToWaitFor();
    invariants.groupsAreThereAsLongAsTheirMachinesAre();
    invariants.everyMachineOfAGroupIsAskedForInIt();
  }

  private static Optional<String> groupOf(Instance machine) {
    return machine.bought().map(Purchase::placementGroup);
  }

  private void whoWaitsHasSomethingToWaitFor() {
    for (Instance machine : memory.active(Instance.class)) {
      boolean waits =
          memory
              .find(Resource.class, machine.id())
              .filter(resource -> resource.phase() == Resource.State.INTENDED)
              .isPresent();
      if (waits) {
        assertThat(groupOf(machine).flatMap(group -> memory.find(Resource.class, group)))
            .as("what %s waits for", machine.id())
            .isPresent();
      }
    }
  }

  private void groupsAreThereAsLongAsTheirMachinesAre() {
    for (Resource group : memory.active(Resource.class)) {
      if (group.type() != ResourceType.PLACEMENT_GROUP || group.ownerId().isEmpty()) {
        continue;
      }
      List<Instance> members =
          memory.active(Instance.class).stream()
              .filter(machine -> groupOf(machine).filter(group.id()::equals).isPresent())
              .toList();
      switch (group.phase()) {
        case PRESENT -> assertThat(members).as("who is in %s", group).isNotEmpty();
        case LEAVING -> assertThat(members).as("who is still in %s", group).isEmpty();
        // What was asked for is known when the answer comes.
        case INTENDED, ASKED, IN_DOUBT, GONE -> {}
      }
    }
  }

  private void everyMachineOfAGroupIsAskedForInIt() {
    memory
        .unfinishedActions()
        .filter(action -> action.type() == Action.Type.CREATE)
        .filter(action -> action.of() == ResourceType.INSTANCE && !action.isHeld())
        .forEach(
            action ->
                memory
                    .find(Instance.class, action.resourceId())
                    .ifPresent(
                        machine ->
                            assertThat(
                                    Optional.ofNullable(
                                            action.machine().orElseThrow().placementGroup())
                                        .map(group -> group.key()))
                                .as("the group in %s", action)
                                .isEqualTo(groupOf(machine))));
  }
}
