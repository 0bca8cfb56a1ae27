package dev.berth.hosts.gpus;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AmdDeviceFilesTest {
  private static final Gpu FIRST = named("de8287300da37c72");
  private static final Gpu SECOND = named("0076a08c022586fe");

  @TempDir Path system;

  private static Gpu named(String serial) {
    return new Gpu("GPU-" + serial, Vendor.AMD, "MI300X", 196608, "GPU-" + serial);
  }

  private static Gpu at(int position) {
    return new Gpu("amd-" + position, Vendor.AMD, "RX7900XTX", 24576, String.valueOf(position));
  }

  /** As the kernel writes it: serial numbers as decimal numbers without a sign. */
  private void node(int number, String serial, int minor) throws IOException {
    Path node =
        Files.createDirectories(system.resolve("sys/class/kfd/kfd/topology/nodes/" + number));
    Files.writeString(
        node.resolve("properties"),
        """
        cpu_cores_count 0
        simd_count 1216
        location_id 1280
        domain 0
        drm_render_minor %d
        hive_id 12155529297087456014
        unique_id %s
        """
            .formatted(minor, serial));
  }

  private void file(String name) throws IOException {
    Path file = system.resolve("dev").resolve(name);
    Files.createDirectories(file.getParent());
    Files.createFile(file);
  }

  @BeforeEach
  void twoAccelerators() throws IOException {
    node(0, "0", 0);
    node(2, "16033526263849385074", 136);
    node(10, "33390570443736830", 128);
    file("kfd");
    file("dri/renderD128");
    file("dri/renderD136");
  }

  private Map<String, Path> files(Gpu... gpus) {
    return new AmdDeviceFiles(system).files(List.of(gpus));
  }

  private Path render(int minor) {
    return system.resolve("dev/dri/renderD" + minor);
  }

  @Test
  void filesAreFoundBySerialNumber() {
    assertThat(files(SECOND, FIRST))
        .isEqualTo(Map.of(FIRST.id(), render(136), SECOND.id(), render(128)));
  }

  @Test
  void positionsCountWhereAllAreTold() {
    assertThat(files(at(1), at(0))).isEqualTo(Map.of("amd-0", render(136), "amd-1", render(128)));
    assertThat(files(at(0))).as("the kernel tells of one more").isEmpty();
  }

  @Test
  void whatIsNotSureHasNoFile() throws IOException {
    assertThat(files(named("0000000000000003"))).isEmpty();
    node(11, "33390570443736830", 129);
    assertThat(files(FIRST, SECOND)).containsOnlyKeys(FIRST.id());
    Files.delete(render(136));
    assertThat(files(FIRST)).isEmpty();
  }

  @Test
  void withoutTheFileOfAllThereAreNone() throws IOException {
    Files.delete(system.resolve("dev/kfd"));
    assertThat(files(FIRST, SECOND)).isEmpty();
  }

  @Test
  void machineWithoutThemIsNotLookedAt() {
    assertThat(files(new Gpu("GPU-a", Vendor.NVIDIA, "A100", 81920, "GPU-a"))).isEmpty();
    assertThat(new AmdDeviceFiles(system.resolve("nowhere")).files(List.of(FIRST))).isEmpty();
  }

  @Test
  void groupsAreThoseOfTheFilesExceptRoot() throws IOException {
    Object group = Files.getAttribute(render(128), "unix:gid");
    assertThat(AmdDeviceFiles.groups(List.of(render(128), render(136))))
        .isEqualTo(group.equals(0) ? List.of() : List.of(group.toString()));
    if (group.equals(0)) {
      Files.setAttribute(render(128), "unix:gid", 4711);
      Files.setAttribute(render(136), "unix:gid", 4711);
      assertThat(AmdDeviceFiles.groups(List.of(render(128), render(136), render(999))))
          .containsExactly("4711");
    }
  }
}
