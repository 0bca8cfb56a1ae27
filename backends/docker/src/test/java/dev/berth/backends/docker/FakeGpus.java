package dev.berth.backends.docker;

import dev.berth.hosts.gpus.AmdDeviceFiles;
import dev.berth.hosts.gpus.FakeTools;
import dev.berth.spi.BackendContext;
import dev.berth.spi.Owner;
import dev.berth.spi.config.ConfigReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A machine whose accelerators are scripts and harmless devices in a folder. */
record FakeGpus(Path folder, FakeTools tools) {
  private static final String HOOK = "nvidia-container-runtime-hook";

  static FakeGpus in(Path folder) throws IOException {
    return new FakeGpus(
        folder, new FakeTools(Files.createDirectories(folder.resolve("executables"))));
  }

  FakeGpus with(String tool, String script) throws IOException {
    tools.with(tool, script);
    return this;
  }

  /** As if NVIDIA's container toolkit were there, which the engine of the test does not know. */
  FakeGpus withToolkit() throws IOException {
    return with(HOOK, "#!/bin/sh\n");
  }

  /** What the kernel tells of a processor and of two accelerators with the serials 1 and 2. */
  FakeGpus withAmdFiles() throws IOException {
    node(0, 0, 0);
    node(1, 2, 129);
    node(2, 1, 128);
    Path devices = Files.createDirectories(folder.resolve("dev/dri"));
    Files.createSymbolicLink(folder.resolve("dev/kfd"), Path.of("/dev/null"));
    for (int minor : List.of(128, 129)) {
      Files.createSymbolicLink(devices.resolve("renderD" + minor), Path.of("/dev/zero"));
    }
    return this;
  }

  private void node(int number, long serial, int minor) throws IOException {
    Path node = folder.resolve("sys/class/kfd/kfd/topology/nodes/" + number);
    Files.createDirectories(node);
    Files.writeString(
        node.resolve("properties"),
        "cpu_cores_count 0\ndrm_render_minor %d\nunique_id %d\n".formatted(minor, serial));
  }

  String file(int minor) {
    return folder.resolve("dev/dri/renderD" + minor).toString();
  }

  /** The backend of an engine on this machine. */
  DockerCompute open(String host, Map<String, ?> settings) {
    Map<String, @Nullable Object> all = new HashMap<>(settings);
    all.put("host", host);
    return DockerBackendType.open(
        ConfigReader.read(DockerSettings.class, all),
        new BackendContext(
            "docker", new Owner("test"), folder.resolve("data"), Map.of(), InstantSource.system()),
        tools.executables(),
        tools.inventory(),
        new AmdDeviceFiles(folder));
  }
}
