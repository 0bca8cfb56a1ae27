package dev.berth.backends.docker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.hosts.access.local.Executables;
import dev.berth.hosts.docker.Engine;
import dev.berth.hosts.gpus.FakeTools;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NvidiaWayTest {
  private static final Engine.Version DOCKER =
      new Engine.Version("1.50", "28.2.2", "linux", "amd64", "Engine", "");
  private static final Engine.Version PODMAN =
      new Engine.Version("1.41", "4.9.3", "linux", "amd64", "Podman Engine", "");
  private static final Executables NOTHING = new Executables(List.of());

  private static Engine.Machine machine(Set<String> runtimes, Set<String> devices) {
    return new Engine.Machine("box", 8, 1L << 34, "/var/lib/docker", runtimes, devices);
  }

  @Test
  void toolkitIsKnownByItsRuntimeOrItsHook(@TempDir Path folder) throws IOException {
    assertThat(NvidiaWay.of(DOCKER, machine(Set.of("runc", "nvidia"), Set.of()), NOTHING))
        .isEqualTo(NvidiaWay.DRIVER);
    Executables hook =
        new FakeTools(folder).with("nvidia-container-runtime-hook", "#!/bin/sh\n").executables();
    assertThat(NvidiaWay.of(DOCKER, machine(Set.of("runc"), Set.of()), hook))
        .isEqualTo(NvidiaWay.DRIVER);
    assertThat(NvidiaWay.of(DOCKER, machine(Set.of("runc"), Set.of()), NOTHING))
        .isEqualTo(NvidiaWay.NONE);
  }

  @Test
  void namesOfDevicesAreUsedWhereThereIsNoToolkit() {
    Set<String> named = Set.of("nvidia.com/gpu=0", "nvidia.com/gpu=GPU-aaaa");
    assertThat(NvidiaWay.of(DOCKER, machine(Set.of("runc"), named), NOTHING))
        .isEqualTo(NvidiaWay.CDI);
    assertThat(NvidiaWay.of(DOCKER, machine(Set.of("runc"), Set.of("vendor.com/nic=0")), NOTHING))
        .isEqualTo(NvidiaWay.NONE);
  }

  @Test
  void podmanWouldStartTheJobWithout() {
    assertThat(NvidiaWay.of(PODMAN, machine(Set.of("crun", "nvidia"), Set.of()), NOTHING))
        .isEqualTo(NvidiaWay.NONE);
  }
}
