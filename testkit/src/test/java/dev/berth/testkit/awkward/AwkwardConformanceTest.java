package dev.berth.testkit.awkward;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.testkit.Conformance;
import dev.berth.testkit.Outcome;
import dev.berth.testkit.Report;
import dev.berth.testkit.fake.FakeProvider;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The backend of the awkward cloud keeps the contract, and leaves the cloud as it was. */
class AwkwardConformanceTest {
  @TempDir Path directory;

  @Test
  void keepsTheContractAndLeavesNothing() throws Exception {
    try (FakeProvider cloud = FakeProvider.start(new AwkwardCloud())) {
      Report report = Conformance.run(AwkwardSetup.sound().subject(cloud, directory), _ -> {});
      assertThat(report.failed())
          .extracting(result -> result.check().name() + ": " + result.outcome().detail())
          .isEmpty();
      assertThat(report.unclean()).isEmpty();
      assertThat(cloud.problems()).isEmpty();
      assertThat(cloud.unknownCalls()).isEmpty();
      assertThat(cloud.inventory().leftovers()).isEmpty();
      assertThat(cloud.inventory().entries()).hasSizeGreaterThan(100);
      assertThat(report.results())
          .filteredOn(result -> result.check().name().contains("provider"))
          .allSatisfy(result -> assertThat(result.outcome()).isInstanceOf(Outcome.Passed.class));
    }
  }
}
