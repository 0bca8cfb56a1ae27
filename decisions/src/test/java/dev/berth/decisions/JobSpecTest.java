package dev.berth.decisions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.JobSpec;
import dev.berth.model.config.CpuSpec;
import dev.berth.model.config.DiskSpec;
import dev.berth.model.config.EnvironmentVariable;
import dev.berth.model.config.FileMapping;
import dev.berth.model.config.GpuSpec;
import dev.berth.model.config.Range;
import dev.berth.model.config.Size;
import dev.berth.model.config.TimeLimit;
import dev.berth.model.config.UtilizationPolicy;
import dev.berth.planning.testing.TaskBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What of a task's file reaches its job. */
final class JobSpecTest {
  @Test
  void everyJobKnowsItsRunUnderBothPrefixes() {
    JobSpec spec = specOf(TaskBuilder.task());
    Map<String, String> expected =
        Map.of(
            "RUN_NAME", "hello",
            "RUN_ID", "r1",
            "JOB_ID", "r1-0-0",
            "NODES_NUM", "1",
            "NODE_RANK", "0",
            "NODES_IPS", "127.0.0.1",
            "MASTER_NODE_IP", "127.0.0.1");
    assertThat(spec.environment()).hasSize(2 * expected.size());
    expected.forEach(
        (name, value) ->
            assertThat(spec.environment())
                .containsEntry("BERTH_" + name, value)
                .containsEntry("DSTACK_" + name, value));
  }

  @Test
  void theUsersVariablesComeOnTop() {
    TaskBuilder task = TaskBuilder.task();
    task.environment.add(new EnvironmentVariable("COLOUR", "blue"));
    task.environment.add(new EnvironmentVariable("DSTACK_RUN_NAME", "mine"));
    assertThat(specOf(task).environment())
        .containsEntry("COLOUR", "blue")
        .containsEntry("DSTACK_RUN_NAME", "mine")
        .containsEntry("BERTH_RUN_NAME", "hello");
  }

  @Test
  void commandsShellFolderFilesAndLimitsAreTakenOver() {
    TaskBuilder task = TaskBuilder.task();
    task.shell = "bash";
    task.workingDirectory = "/work";
    task.maxDuration = TimeLimit.of(Duration.ofHours(2));
    task.files.add(new FileMapping("/home/ann/data", "data"));
    JobSpec spec = specOf(task);
    assertThat(spec.commands()).containsExactly("echo hello");
    assertThat(spec.shell()).isEqualTo("bash");
    assertThat(spec.workingDirectory()).isEqualTo("/work");
    assertThat(spec.files()).containsExactly(new JobSpec.File("/home/ann/data", "data"));
    assertThat(spec.stopDuration()).isEqualTo(TaskBuilder.STOP_DURATION);
    assertThat(spec.maxDuration()).isEqualTo(Duration.ofHours(2));
  }

  @Test
  void onlyWhoAsksForAcceleratorsMayBeEndedForIdlingThem() {
    UtilizationPolicy policy = new UtilizationPolicy(10, Duration.ofMinutes(5));
    TaskBuilder task = TaskBuilder.task().gpus(1);
    task.utilization = policy;
    assertThat(specOf(task).utilization()).isEqualTo(policy);
    task.gpus(0);
    assertThat(specOf(task).utilization()).isNull();
  }

  @Test
  void limitsThatAreSwitchedOffAreNone() {
    TaskBuilder task = TaskBuilder.task();
    task.maxDuration = TimeLimit.OFF;
    task.stopDuration = TimeLimit.OFF;
    assertThat(specOf(task).maxDuration()).isNull();
    assertThat(specOf(task).stopDuration()).isNull();
  }

  @Test
  void onlyWrittenResourcesAreReserved() {
    assertThat(specOf(withDefaults()).requirements()).isEqualTo(JobSpec.Requirements.NONE);

    TaskBuilder one = withDefaults();
    one.writtenResources.put("memory_mib", 8_192);
    assertThat(specOf(one).requirements())
        .isEqualTo(new JobSpec.Requirements(null, 8_192L, null, 0, List.of(), null));

    TaskBuilder other = withDefaults();
    other.writtenResources.put("cpu", 2);
    other.writtenResources.put("disk", "100GB");
    assertThat(specOf(other).requirements())
        .isEqualTo(new JobSpec.Requirements(2, null, 102_400L, 0, List.of(), null));
  }

  @Test
  void theLeastOfARangeIsReserved() {
    TaskBuilder task = TaskBuilder.task().cpus(1).memory(1);
    task.cpu = new CpuSpec(null, new Range<>(3, 8));
    task.memory = new Range<>(null, new Size(100));
    task.gpu =
        new GpuSpec(
            null,
            List.of("A100", "H100"),
            new Range<>(2, 4),
            new Range<>(new Size(40), new Size(80)),
            null,
            null);
    task.writtenResources.put("gpu", 2);
    assertThat(specOf(task).requirements())
        .isEqualTo(new JobSpec.Requirements(3, null, null, 2, List.of("A100", "H100"), 40L));
  }

  /** As the reader fills what was not written. */
  private static TaskBuilder withDefaults() {
    TaskBuilder task = TaskBuilder.task();
    task.cpu = new CpuSpec(null, Range.atLeast(2));
    task.memory = Range.atLeast(Size.gib(8));
    task.disk = new DiskSpec(Range.atLeast(Size.gib(100)));
    task.gpu = new GpuSpec(null, List.of(), Range.atLeast(0), null, null, null);
    return task;
  }

  private static JobSpec specOf(TaskBuilder task) {
    return RunVariables.ofJob(
        RunVariables.ofRun(task.spec(), "r1", "hello").getFirst().spec(), "r1-0-0");
  }
}
