package dev.berth.hosts.access.local;

import static dev.berth.hosts.access.local.ThisMachine.path;

import dev.berth.hosts.HostException.Code;
import dev.berth.hosts.access.AbstractMachineCommandsTest;
import dev.berth.hosts.access.MachinePath;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LocalCommandsTest extends AbstractMachineCommandsTest {
  @TempDir Path temporary = Path.of("");

  LocalCommandsTest() {
    super(LocalAccess.ofThisMachine());
  }

  @Override
  protected MachinePath emptyFolder() {
    return path(temporary);
  }

  @Test
  void aMachineWithoutSetsidSaysSo() {
    try (LocalAccess bare = new LocalAccess(Map.of("PATH", temporary.toString()), Cgroups.none())) {
      refuses(Code.MISSING_TOOL, () -> bare.commands().limitations());
    }
  }
}
