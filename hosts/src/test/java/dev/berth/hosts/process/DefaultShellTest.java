package dev.berth.hosts.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.hosts.access.local.Cgroups;
import dev.berth.hosts.access.local.LocalAccess;
import dev.berth.hosts.gpus.FakeTools;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DefaultShellTest {
  @TempDir Path folder = Path.of("");

  private static String shell(String path) {
    try (LocalAccess machine = new LocalAccess(Map.of("PATH", path), Cgroups.none())) {
      return ProcessJobRuntime.defaultShell(machine.commands());
    }
  }

  @Test
  void bashIsTheShellWhereItIs() throws IOException {
    FakeTools shells = new FakeTools(folder).with("sh", "#!/bin/sh\n");
    assertThat(shell("relative:" + folder)).isEqualTo(folder.resolve("sh").toString());
    shells.with("bash", "#!/bin/sh\n");
    assertThat(shell("relative:" + folder)).isEqualTo(folder.resolve("bash").toString());
    assertThat(shell("/nowhere")).isEqualTo("/bin/sh");
  }
}
