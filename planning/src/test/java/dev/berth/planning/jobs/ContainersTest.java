package dev.berth.planning.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.Container;
import dev.berth.model.Work;
import dev.berth.model.config.MountPoint;
import dev.berth.model.config.NodeGroup;
import dev.berth.model.config.PortMapping;
import dev.berth.model.config.ResourcesSpec;
import dev.berth.model.config.Size;
import dev.berth.planning.testing.TaskBuilder;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a file says of containers is what their hosts are told. */
final class ContainersTest {
  private static List<Container> of(TaskBuilder task) {
    return task.spec().nodes().stream()
        .map(Work.Node::wishes)
        .map(wishes -> Objects.requireNonNull(wishes.container()))
        .toList();
  }

  @Test
  void aTaskThatSaysNothingAsksForNothing() {
    assertThat(of(TaskBuilder.task()))
        .singleElement()
        .returns(null, Container::shmMib)
        .returns(List.of(), Container::ports)
        .returns(Map.of(), Container::hostPorts);
  }

  /** Whoever stands in line for the same is known by that. */
  @Test
  void runsThatWantTheSameAskForTheSame() {
    assertThat(of(TaskBuilder.task())).isEqualTo(of(TaskBuilder.task()));
  }

  @Test
  void sharedMemoryIsAskedFor() {
    TaskBuilder task = TaskBuilder.task();
    task.shm = Size.gib(2);
    assertThat(of(task)).singleElement().returns(2_048L, Container::shmMib);
  }

  @Test
  void portsAreAskedForByTheNumbersThatTheFileNames() {
    TaskBuilder task = TaskBuilder.task();
    task.ports =
        List.of(
            new PortMapping(80, 8_080),
            new PortMapping(null, 9_000),
            new PortMapping(81, 8_080),
            new PortMapping(80, 9_000));
    assertThat(of(task))
        .singleElement()
        .returns(List.of(8_080, 9_000), Container::ports)
        .returns(Map.of(80, 8_080, 81, 8_080), Container::hostPorts);
  }

  @Test
  void nodesOfAGroupHaveItsPortsAndSharedMemory() {
    TaskBuilder task = TaskBuilder.task();
    task.groups =
        List.of(
            group(null, new PortMapping(6_379, 6_379)),
            group(new Size(64), new PortMapping(null, 1)));
    assertThat(of(task)).extracting(Container::shmMib).containsExactly(null, 64L);
    assertThat(of(task)).extracting(Container::ports).containsExactly(List.of(6_379), List.of(1));
  }

  @Test
  void foldersThatTheJobCanDoWithoutAreMarked() {
    TaskBuilder task = TaskBuilder.task();
    task.volumes.add(new MountPoint.InstanceMount("/data", "/in", false));
    task.volumes.add(new MountPoint.InstanceMount("/cache", "/tmp/cache", true));
    assertThat(of(task))
        .singleElement()
        .returns(
            List.of(
                new Container.Mount("/data", "/in"),
                new Container.Mount("/cache", "/tmp/cache", true)),
            Container::mounts);
  }

  private static NodeGroup group(@Nullable Size shm, PortMapping port) {
    return new NodeGroup(
        null, 1, new ResourcesSpec(null, null, shm, null, null), List.of("true"), List.of(port));
  }
}
