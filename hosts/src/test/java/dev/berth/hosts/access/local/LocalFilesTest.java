package dev.berth.hosts.access.local;

import static dev.berth.hosts.access.local.ThisMachine.path;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.hosts.HostException.Code;
import dev.berth.hosts.access.AbstractMachineFilesTest;
import dev.berth.hosts.access.FileAccess;
import dev.berth.hosts.access.FolderQuery;
import dev.berth.hosts.access.FolderView;
import dev.berth.hosts.access.MachinePath;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LocalFilesTest extends AbstractMachineFilesTest {
  @TempDir Path temporary = Path.of("");

  LocalFilesTest() {
    super(LocalAccess.ofThisMachine());
  }

  @Override
  protected MachinePath emptyFolder() {
    return path(temporary);
  }

  @Test
  void aFileThatCannotBeLookedAtHidesNoOther() {
    MachinePath good = folder.resolve("good");
    sh("ln -s loop loop");
    MachinePath bad = folder.resolve("loop/below");
    files.replace(good, "text", FileAccess.OWNER);
    FolderView seen =
        files
            .look(List.of(new FolderQuery(folder, List.of(good, bad), 9, List.of(bad), null)))
            .getFirst();
    assertThat(seen.text(good)).contains("text");
    refuses(Code.MACHINE, () -> seen.text(bad));
    refuses(Code.MACHINE, () -> seen.facts(bad));
  }
}
