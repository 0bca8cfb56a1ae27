package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class SimulateCommandTest {
  @Test
  void theDistributionSaysWhereTheSimulationIs() {
    Command command = Command.run("simulate", "--seeds", "20");
    assertThat(command.exitCode()).isEqualTo(64);
    assertThat(command.err())
        .contains("'berth simulate --seeds 20' is for contributors")
        .contains("run ./berth simulate there");
    assertThat(command.out()).isEmpty();
  }

  @Test
  void theHelpDoesNotSpeakOfIt() {
    assertThat(Command.run("--help").out()).doesNotContain("simulate");
  }
}
