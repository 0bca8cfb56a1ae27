package dev.berth.decisions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.Action;
import dev.berth.model.Container;
import dev.berth.model.Instance;
import dev.berth.model.JobRequest;
import dev.berth.planning.ContainerImages;
import dev.berth.planning.Unsupported;
import dev.berth.planning.testing.TaskBuilder;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What containers run in. */
final class ContainerImagesTest {
  private static final ContainerImages OURS =
      new ContainerImages("team/base:1", "team/python-{version}:1", "team/cuda:1");

  static Stream<Arguments> files() {
    return Stream.of(
        row("ubuntu:24.04", "team/base:1", _ -> {}),
        row("python:3.12", "team/python-3.12:1", task -> task.python = "3.12"),
        row("nvidia/cuda:12.8.1-devel-ubuntu24.04", "team/cuda:1", task -> task.nvcc = true),
        row("ubuntu:24.04", "team/base:1", task -> task.nvcc = false),
        row("busybox:1", "busybox:1", task -> task.image = "busybox:1"),
        row(
            "busybox:1",
            "busybox:1",
            task -> {
              task.image = "busybox:1";
              task.nvcc = true;
            }));
  }

  private static Arguments row(String usual, String ours, Consumer<TaskBuilder> change) {
    TaskBuilder task = TaskBuilder.task();
    change.accept(task);
    return Arguments.of(usual, ours, task);
  }

  @ParameterizedTest
  @MethodSource("files")
  void aRunWithoutAnImageGetsOneForWhatItAsks(String usual, String ours, TaskBuilder task) {
    assertThat(ContainerImages.USUAL.of(task.build().run())).isEqualTo(usual);
    assertThat(OURS.of(task.build().run())).isEqualTo(ours);
  }

  @ParameterizedTest
  @MethodSource("files")
  void theImageReachesTheEngine(String usual, String ours, TaskBuilder task) {
    Scenario scenario =
        Scenario.with(Machines.large("m0").running(new Instance.Engine(true, true)));
    String run = scenario.submit("inside", task);
    assertThat(started(scenario, run).image()).isEqualTo(usual);

    Message.Submit submit =
        new Message.Submit(
            "r9",
            Scenario.PROJECT,
            "ann",
            "ours",
            Map.of(),
            task.plan(Scenario.PROJECT, List.of(), OURS).spec());
    scenario.tell(submit);
    assertThat(started(scenario, "r9").image()).isEqualTo(ours);
  }

  private static Container started(Scenario scenario, String run) {
    JobRequest request = scenario.action(run, Action.Type.START_JOB).job().orElseThrow();
    return Objects.requireNonNull(request.container());
  }

  @Test
  void whoNeedsNoImageIsSparedAContainer() {
    Instance engine = Machines.large("m0").running(new Instance.Engine(true, true));
    Scenario scenario = Scenario.with(engine, Machines.large("m1"));
    TaskBuilder task = TaskBuilder.task();
    task.python = "3.12";
    assertThat(scenario.attempt(scenario.submit("plain", task)).instanceId()).isEqualTo("m1");
    TaskBuilder compiling = TaskBuilder.task();
    compiling.nvcc = true;
    assertThat(scenario.attempt(scenario.submit("compiling", compiling)).instanceId())
        .isEqualTo("m0");
  }

  @Test
  void noImageHasACompilerAndAChosenPython() {
    TaskBuilder task = TaskBuilder.task();
    task.nvcc = true;
    task.python = "3.12";
    assertThat(task.plan().unsupported().onEngines())
        .singleElement()
        .returns("python", Unsupported::path)
        .extracting(Unsupported::message)
        .asString()
        .contains("'nvcc'", "set an 'image' that has both");
    task.image = "team/both:1";
    assertThat(task.plan().unsupported().onEngines()).isEmpty();
  }
}
