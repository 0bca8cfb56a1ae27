package dev.berth.decisions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import dev.berth.model.Action;
import dev.berth.model.Attempt;
import dev.berth.model.Fleet;
import dev.berth.model.Instance;
import dev.berth.model.Job;
import dev.berth.model.Placement;
import dev.berth.model.Resource;
import dev.berth.model.ResourceType;
import dev.berth.model.ResourceVector;
import dev.berth.model.Run;
import dev.berth.model.RunStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** What is true after every decision, whatever it was about. */
final class Invariants {
  private final Memory memory;

  private Invariants(Memory memory) {
    this.memory = memory;
  }

  static void check(Memory memory) {
    Invariants invariants = new Invariants(memory);
    invariants.oneActionAtATimeForEachResource();
    invariants.resourcesNameTheActionUnderWay();
    invariants.allocationsAreThoseOfAttemptsWithAPlace();
    invariants.nothingIsAllocatedBeyondCapacity();
    invariants.whatIsActiveBelongsToSomethingActive();
    invariants.endsHaveTimeAndReason();
    invariants.fleetsAreNotLargerThanAllowed();
    invariants.membersAreThereTogetherOrNotAtAll();
    invariants.fleetsThatNobodyAskedForGoWithTheirRun();
    invariants.costsAreThoseOfEndedAttempts();
    PlacementGroupInvariants.check(memory);
  }

  private void fleetsAreNotLargerThanAllowed() {
    for (Fleet fleet : memory.active(Fleet.class)) {
      List<Integer> numbers =
          memory.children(Instance.class, fleet.id()).stream()
              .map(instance -> instance.bought().orElseThrow().number())
              .toList();
      assertThat(numbers).as("numbers in %s", fleet.name()).doesNotHaveDuplicates();
      assertThat(numbers).allMatch(number -> number < fleet.numbers());
    }
    for (Instance instance : memory.active(Instance.class)) {
      instance
          .bought()
          .ifPresent(
              purchase ->
                  assertThat(memory.find(Fleet.class, purchase.fleetId()))
                      .as("the fleet of %s", instance)
                      .isPresent());
    }
  }

  /** No job of a replica is asked for before all members have a place that is ready. */
  private void membersAreThereTogetherOrNotAtAll() {
    for (Placement placement : memory.active(Placement.class)) {
      if (placement.phase() != Placement.State.RESERVING) {
        continue;
      }
      for (String member : placement.members()) {
        assertThat(memory.stored(Attempt.class, member).map(Attempt::instanceId))
            .as("the place of %s, which is in line", member)
            .isEmpty();
        assertThat(memory.find(Resource.class, member)).isEmpty();
      }
    }
  }

  private void fleetsThatNobodyAskedForGoWithTheirRun() {
    assertThat(memory.active(Fleet.class))
        .as("fleets that were made for a run have machines, or their run goes on")
        .allMatch(
            fleet ->
                !fleet.temporary()
                    || !memory.children(Instance.class, fleet.id()).isEmpty()
                    || !memory.children(Resource.class, fleet.id()).isEmpty()
                    || memory
                        .find(Run.class, fleet.id().substring(0, fleet.id().length() - 2))
                        .isPresent());
  }

  private void costsAreThoseOfEndedAttempts() {
    Map<String, Double> costs =
        memory
            .all(Attempt.class)
            .filter(attempt -> !attempt.active())
            .collect(
                Collectors.groupingBy(
                    Attempt::runId,
                    Collectors.summingDouble(attempt -> attempt.cost(Instant.EPOCH))));
    memory
        .all(Run.class)
        .forEach(
            run ->
                assertThat(run.cost())
                    .as("the cost of %s", run.id())
                    .isCloseTo(costs.getOrDefault(run.id(), 0.0), offset(1e-6)));
  }

  private void oneActionAtATimeForEachResource() {
    Set<String> flying = new HashSet<>();
    Set<String> underWay = new HashSet<>();
    memory
        .unfinishedActions()
        .forEach(
            action -> {
              if (action.state() == Action.State.IN_FLIGHT) {
                assertThat(flying.add(action.resourceId()))
                    .as("second in flight: %s", action)
                    .isTrue();
              }
              if (action.type() != Action.Type.REMOVE_JOB) {
                assertThat(underWay.add(action.resourceId()))
                    .as("second unfinished: %s", action)
                    .isTrue();
              }
            });
  }

  private void resourcesNameTheActionUnderWay() {
    Map<String, List<Action>> unfinished =
        memory
            .unfinishedActions()
            .filter(action -> action.type() != Action.Type.REMOVE_JOB)
            .collect(Collectors.groupingBy(Action::resourceId));
    memory
        .all(Resource.class)
        .forEach(
            resource -> {
              List<Action> mine = unfinished.getOrDefault(resource.id(), List.of());
              if (resource.active()) {
                assertThat(mine.stream().map(Action::id).findFirst().orElse(null))
                    .as("the action of %s", resource)
                    .isEqualTo(resource.actionId());
              } else {
                // A call that was under way at the end reports later; nothing new is begun.
                assertThat(resource.actionId()).as("the action of %s", resource).isNull();
                assertThat(resource.due()).as("the due time of %s", resource).isNull();
                assertThat(mine).allMatch(action -> action.state() == Action.State.IN_FLIGHT);
              }
            });
  }

  /** A job that was rented stays ours after its end, until its place is given back. */
  private boolean isBeingGivenBack(Resource resource) {
    return resource.type() == ResourceType.JOB
        && resource.phase() == Resource.State.LEAVING
        && resource.actionId() != null
        && memory
            .stored(Attempt.class, resource.ownerId())
            .filter(attempt -> !attempt.active() && attempt.instanceId() == null)
            .isPresent();
  }

  private void allocationsAreThoseOfAttemptsWithAPlace() {
    for (Instance instance : memory.active(Instance.class)) {
      Set<String> holders =
          memory.active(Attempt.class).stream()
              .filter(attempt -> instance.id().equals(attempt.instanceId()))
              .map(Attempt::id)
              .collect(Collectors.toSet());
      assertThat(instance.allocations().keySet())
          .as("allocations of %s", instance.id())
          .isEqualTo(holders);
      if (instance.status().isReady()) {
        assertThat(instance.status())
            .isEqualTo(holders.isEmpty() ? Instance.Status.IDLE : Instance.Status.BUSY);
      }
    }
  }

  private void nothingIsAllocatedBeyondCapacity() {
    for (Instance instance : memory.active(Instance.class)) {
      ResourceVector free = instance.free();
      assertThat(free.slots()).as("free slots of %s", instance).isNotNegative();
      assertThat(free.cpus()).as("free cpus of %s", instance).isNotNegative();
      assertThat(free.memoryMib()).as("free memory of %s", instance).isNotNegative();
      assertThat(free.diskMib()).as("free disk of %s", instance).isNotNegative();
      List<String> devices = new ArrayList<>();
      instance.allocations().values().forEach(share -> devices.addAll(share.devices()));
      assertThat(devices).as("devices of %s", instance).doesNotHaveDuplicates();
      assertThat(instance.capacity().devices()).containsAll(devices);
    }
  }

  private void whatIsActiveBelongsToSomethingActive() {
    for (Attempt attempt : memory.active(Attempt.class)) {
      assertThat(memory.find(Job.class, attempt.jobId())).as("job of %s", attempt).isPresent();
      assertThat(memory.find(Run.class, attempt.runId())).as("run of %s", attempt).isPresent();
      assertThat(memory.find(Placement.class, attempt.placementId())).isPresent();
      assertThat(memory.find(Resource.class, attempt.id()).isEmpty() || attempt.backend() != null)
          .as("what %s has at its backend", attempt)
          .isTrue();
    }
    assertThat(memory.active(Resource.class))
        .allMatch(
            resource ->
                resource.ownerId().isEmpty()
                    || memory.find(Attempt.class, resource.ownerId()).isPresent()
                    || memory.find(Instance.class, resource.ownerId()).isPresent()
                    || isBeingGivenBack(resource)
                    || (resource.type() == ResourceType.PLACEMENT_GROUP
                        && memory.find(Fleet.class, resource.ownerId()).isPresent()));
    assertThat(memory.active(Instance.class))
        .allMatch(
            instance ->
                instance.purchase() == null
                    || memory.find(Resource.class, instance.id()).isPresent());
    assertThat(memory.active(Job.class))
        .allMatch(job -> !memory.children(Placement.class, job.runId()).isEmpty());
    assertThat(memory.active(Placement.class))
        .allMatch(
            placement ->
                placement.members().stream()
                    .anyMatch(member -> memory.find(Attempt.class, member).isPresent()));
    assertThat(memory.active(Run.class))
        .allMatch(
            run ->
                run.status() == RunStatus.PENDING
                    || !memory.children(Job.class, run.id()).isEmpty());
    assertThat(memory.active(Placement.class))
        .allMatch(placement -> memory.find(Run.class, placement.runId()).isPresent());
  }

  private void endsHaveTimeAndReason() {
    memory
        .all(Run.class)
        .filter(run -> !run.active())
        .forEach(
            run -> {
              assertThat(run.finishedAt()).as("the end of %s", run).isNotNull();
              assertThat(run.reason()).as("the reason of %s", run).isNotNull();
            });
    memory
        .all(Attempt.class)
        .filter(attempt -> !attempt.active())
        .forEach(
            attempt -> {
              assertThat(attempt.finishedAt()).as("the end of %s", attempt).isNotNull();
              assertThat(attempt.reason()).as("the reason of %s", attempt).isNotNull();
            });
  }
}
