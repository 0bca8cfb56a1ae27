package dev.berth.testkit.awkward.containers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.testkit.Conformance;
import dev.berth.testkit.Report;
import dev.berth.testkit.fake.FakeProvider;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The backend of the awkward cloud of containers keeps the contract, and leaves nothing there. */
class AwkwardContainerConformanceTest {
  @TempDir Path directory;

  @Test
  void keepsTheContractAndLeavesNothing() throws Exception {
    try (FakeProvider cloud = AwkwardContainerSetup.served()) {
      Report report =
          Conformance.run(AwkwardContainerSetup.sound().subject(cloud, directory), _ -> {});
      assertThat(report.failed())
          .extracting(result -> result.check().name() + ": " + result.outcome().detail())
          .isEmpty();
      assertThat(report.unclean()).isEmpty();
      assertThat(cloud.problems()).isEmpty();
      assertThat(cloud.unknownCalls()).isEmpty();
      cloud.clock().advance(AwkwardContainerCloud.FORGOTTEN_AFTER);
      assertThat(cloud.inventory().existing("container")).isEmpty();
      assertThat(cloud.inventory().entries()).hasSizeGreaterThan(50);
    }
  }
}
