package dev.berth.hosts.gpus;

import dev.berth.hosts.access.local.Executables;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
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

  /**
   * Puts a script there. Another process writes it: what we have open, a process that a test beside
   * us starts at this moment has open too for a while, and what somebody writes cannot be run.
   */
  public FakeTools with(String name, String script) throws IOException {
    Process writer =
        new ProcessBuilder("sh", "-c", "cat >\"$0\" && chmod 700 \"$0\"", "" + folder.resolve(name))
            .inheritIO()
            .redirectInput(ProcessBuilder.Redirect.PIPE)
            .start();
    try (Writer input = writer.outputWriter(StandardCharsets.UTF_8)) {
      input.write(script);
    }
    if (writer.onExit().join().exitValue() != 0) {
      throw new IOException("the script " + name + " cannot be written");
    }
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
