package dev.berth.decisions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.Accelerator;
import dev.berth.model.Action;
import dev.berth.model.Boot;
import dev.berth.model.Candidate;
import dev.berth.model.Instance;
import dev.berth.model.InstanceReason;
import dev.berth.model.MachineFacts;
import dev.berth.model.Purchase;
import dev.berth.model.ResourceObservation;
import dev.berth.model.ResourceVector;
import dev.berth.model.RunStatus;
import dev.berth.planning.testing.TaskBuilder;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Machines on which Berth runs the jobs, from when they are ready at their provider. */
final class EquippedMachineTest {
  private final Scenario scenario =
      Cloud.selling(ours(Offers.gpuMachine("fair", 1, 2)), ours(Offers.gpuMachine("dear", 4, 2)));
  private final Cloud cloud = new Cloud(scenario);

  private static Candidate ours(Candidate offer) {
    return new Candidate(
        offer.backend(),
        offer.type(),
        offer.item(),
        offer.availability(),
        offer.zones(),
        offer.abilities().with(Candidate.Execution.PROCESSES, Boot.NONE));
  }

  private String submitted() {
    TaskBuilder task = TaskBuilder.task();
    String run = scenario.submit("hello", task);
    cloud.answer();
    return run;
  }

  private Instance machine(String run) {
    return scenario.machineOf(run, 0);
  }

  private @Nullable String message(String run) {
    return machine(run).bought().map(Purchase::message).orElse(null);
  }

  @Test
  void aMachineTakesJobsOnceBerthHasConnectedToIt() {
    String run = submitted();
    cloud.boot();
    assertThat(machine(run).status()).isEqualTo(Instance.Status.PROVISIONING);
    assertThat(machine(run).bought().map(Purchase::address)).contains("10.0.0.1");
    assertThat(cloud.machines).hasSize(1);
    scenario.tell(new Message.Equipped(machine(run).id(), MachineFacts.AS_OFFERED));
    assertThat(machine(run).status()).isEqualTo(Instance.Status.BUSY);
    Action start = scenario.flying(scenario.attempt(run).id());
    assertThat(start.machineId()).isEqualTo(machine(run).id());
    assertThat(start.job().orElseThrow().place())
        .as("the machine is no place of the provider")
        .isNull();
    assertThat(start.job().orElseThrow().container()).isNull();
    cloud.answer();
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.RUNNING);
    scenario.stop("hello");
    assertThat(scenario.flying(scenario.attempt(run).id()).machineId())
        .isEqualTo(machine(run).id());
  }

  @Test
  void whatTheMachineSaysReplacesWhatWasOffered() {
    String run = submitted();
    cloud.boot();
    Accelerator first = new Accelerator("GPU-a", "nvidia", "A100", 81_920);
    Accelerator second = new Accelerator("GPU-b", "nvidia", "A100", 81_920);
    scenario.tell(
        new Message.Equipped(
            machine(run).id(), new MachineFacts(15, 60_000L, null, List.of(first, second))));
    Instance machine = machine(run);
    assertThat(machine.capacity().cpus()).isEqualTo(15);
    assertThat(machine.capacity().memoryMib()).isEqualTo(60_000);
    assertThat(machine.capacity().devices()).containsExactlyInAnyOrder("GPU-a", "GPU-b");
    ResourceVector share = scenario.flying(scenario.attempt(run).id()).job().orElseThrow().share();
    assertThat(share.devices()).containsExactlyInAnyOrder("GPU-a", "GPU-b");
    assertThat(share.cpus()).isEqualTo(15);
    assertThat(share.memoryMib()).isEqualTo(60_000);
  }

  @Test
  void aMachineWithFewerAcceleratorsThanOfferedIsFollowedByTheNextOffer() {
    String run = submitted();
    cloud.boot();
    String first = machine(run).id();
    Accelerator one = new Accelerator("GPU-a", "nvidia", "A100", 81_920);
    scenario.tell(new Message.Equipped(first, new MachineFacts(null, null, null, List.of(one))));
    assertThat(scenario.memory.find(Instance.class, first).flatMap(Instance::bought))
        .get()
        .satisfies(
            purchase -> {
              assertThat(purchase.reason()).isEqualTo(InstanceReason.ERROR);
              assertThat(purchase.message()).isEqualTo("the machine has 1 of 2 accelerators");
            });
    cloud.answer();
    assertThat(cloud.asked).hasSize(2);
  }

  @Test
  void whyAMachineCannotBeReachedIsSaidWhenItsTimeIsOver() {
    String run = submitted();
    cloud.boot();
    String id = machine(run).id();
    scenario.tell(new Message.NotEquipped(id, "connection refused", false));
    assertThat(message(run)).isEqualTo("connection refused");
    assertThat(machine(run).status()).isEqualTo(Instance.Status.PROVISIONING);
    scenario.pass(Duration.ofMinutes(10));
    assertThat(scenario.memory.find(Instance.class, id).flatMap(Instance::bought))
        .get()
        .satisfies(
            purchase -> {
              assertThat(purchase.reason()).isEqualTo(InstanceReason.PROVISIONING_TIMEOUT);
              assertThat(purchase.message()).isEqualTo("connection refused");
            });
  }

  @Test
  void aMachineThatCanNeverRunJobsIsFollowedByTheNextOfferAtOnce() {
    String run = submitted();
    cloud.boot();
    scenario.tell(new Message.NotEquipped(machine(run).id(), "no Docker", true));
    cloud.answer();
    assertThat(cloud.asked).hasSize(2);
  }

  @Test
  void lateWordOfAMachineThatIsGivenBackChangesNothing() {
    String run = submitted();
    cloud.boot();
    String id = machine(run).id();
    cloud.observation(id, ResourceObservation.State.FAILED);
    Instance leaving = scenario.memory.find(Instance.class, id).orElseThrow();
    scenario.tell(new Message.Equipped(id, MachineFacts.AS_OFFERED));
    scenario.tell(new Message.NotEquipped(id, "connection refused", true));
    assertThat(scenario.memory.find(Instance.class, id)).contains(leaving);
  }
}
