package dev.berth.planning.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.grammar.ConfigurationReader;
import dev.berth.grammar.ConfigurationReader.Defaults;
import dev.berth.model.JobSpec;
import dev.berth.model.Work;
import dev.berth.model.config.TaskConfiguration;
import dev.berth.planning.ContainerImages;
import dev.berth.planning.Plan;
import dev.berth.planning.PlanRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** From a file to what of machines that cost nothing is reserved: only what the file says. */
final class WrittenResourcesTest {
  private static TaskConfiguration read(String file, Defaults defaults) {
    return (TaskConfiguration)
        ConfigurationReader.read(file.getBytes(StandardCharsets.UTF_8), defaults)
            .configuration()
            .orElseThrow();
  }

  private static Plan plan(String file) {
    return new TaskPlanner()
        .plan(
            new PlanRequest<>(
                "main",
                read(file, Defaults.AS_WRITTEN),
                read(file, Defaults.FILLED),
                List.of(),
                ContainerImages.USUAL));
  }

  private static List<JobSpec.Requirements> reserved(String rest) {
    return plan("type: task\n" + rest).spec().nodes().stream()
        .map(Work.Node::spec)
        .map(JobSpec::requirements)
        .toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}                          |   |       |        | 0",
        "{cpu: 4..8}                 | 4 |       |        | 0",
        "{cpu: {arch: arm}}          | 2 |       |        | 0",
        "{memory: 16GB}              |   | 16384 |        | 0",
        "{memory: ..16GB}            |   |       |        | 0",
        "{disk: 50GB..}              |   |       | 51200  | 0",
        "{disk: null}                |   |       | 0      | 0",
        "{gpu: 2}                    |   |       |        | 2",
        "{cpu: 1, gpu: A100}         | 1 |       |        | 1",
        "{shm_size: 1GB}             |   |       |        | 0",
      })
  void whatAFileLeavesOutIsNotReserved(
      String resources,
      @Nullable Integer cpus,
      @Nullable Long memoryMib,
      @Nullable Long diskMib,
      int gpus) {
    assertThat(reserved("commands: [ls]\nresources: " + resources))
        .singleElement()
        .returns(cpus, JobSpec.Requirements::cpus)
        .returns(memoryMib, JobSpec.Requirements::memoryMib)
        .returns(diskMib, JobSpec.Requirements::diskMib)
        .returns(gpus, JobSpec.Requirements::gpus);
  }

  @Test
  void aFileWithoutResourcesReservesNothing() {
    assertThat(reserved("commands: [ls]")).containsExactly(JobSpec.Requirements.NONE);
  }

  @Test
  void nodesOfAGroupReserveWhatTheGroupSays() {
    assertThat(
            reserved(
                "groups:\n- {commands: [ls]}\n"
                    + "- {nodes: 2, commands: [ls], resources: {cpu: 3, memory: 4GB}}"))
        .containsExactly(
            JobSpec.Requirements.NONE,
            new JobSpec.Requirements(3, 4_096L, null, 0, List.of(), null),
            new JobSpec.Requirements(3, 4_096L, null, 0, List.of(), null));
  }
}
