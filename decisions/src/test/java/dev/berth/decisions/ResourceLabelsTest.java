package dev.berth.decisions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.Instance;
import dev.berth.model.Labels;
import dev.berth.model.MachineRequest;
import dev.berth.model.Operation;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What people see at the provider of what was made for them. */
final class ResourceLabelsTest {
  private final Scenario scenario = Cloud.selling(Offers.machine("fair", 1));

  private Map<String, String> labels(Instance machine) {
    Operation.Create create = (Operation.Create) scenario.flying(machine.id()).operation();
    return ((MachineRequest) create.request()).tags();
  }

  @Test
  void aMachineOfARunSaysItsProjectAndRun() {
    String run = scenario.submit("hello");
    assertThat(labels(scenario.machineOf(run, 0)))
        .containsEntry(Labels.PROJECT, Scenario.PROJECT)
        .containsEntry(Labels.RUN, "hello")
        .doesNotContainKey(Labels.FLEET);
  }

  @Test
  void aMachineOfAFleetSaysItsProjectAndFleet() {
    String fleet = scenario.applyFleet("pool", Offers.fleet(1, 1, 5));
    Instance machine = scenario.memory.children(Instance.class, fleet).getFirst();
    assertThat(labels(machine))
        .containsEntry(Labels.PROJECT, Scenario.PROJECT)
        .containsEntry(Labels.FLEET, "pool")
        .doesNotContainKey(Labels.RUN);
  }
}
