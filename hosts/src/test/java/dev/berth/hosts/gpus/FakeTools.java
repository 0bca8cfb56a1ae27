package dev.berth.hosts.gpus;

import dev.berth.hosts.Executables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;

/** A folder with scripts in place of the vendors' tools. */
public record FakeTools(Path folder) {
  public static final String TWO_NVIDIA =
      """
      #!/bin/sh
      echo 'GPU-aaaa, NVIDIA A100-SXM4-80GB, 81920'
      echo 'GPU-bbbb, NVIDIA A100-SXM4-80GB, 81920'
      """;
  public static final String TWO_AMD =
      """
      #!/bin/sh
      echo '[{"gpu": 0, "asic": {"market_name": "AMD Instinct MI300X", "asic_serial": "0x1"},'
      echo '  "vram": {"size": {"value": 196592, "unit": "MB"}}},'
      echo ' {"gpu": 1, "asic": {"market_name": "AMD Instinct MI300X", "asic_serial": "0x2"},'
      echo '  "vram": {"size": {"value": 196592, "unit": "MB"}}}]'
      """;

  public FakeTools with(String name, String script) throws IOException {
    Path file = folder.resolve(name);
    Files.writeString(file, script);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    return this;
  }

  public GpuInventory inventory() {
    return inventory(Duration.ofSeconds(30));
  }

  /** What is found in the folder and nowhere else. */
  public Executables executables() {
    return Executables.of(folder.toString());
  }

  GpuInventory inventory(Duration timeLimit) {
    return new GpuInventory(executables(), timeLimit);
  }
}
