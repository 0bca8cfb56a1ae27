package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The archives that people unpack and run, without the sources. */
@Timeout(900)
class ArchivesTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"berth-slim-", "berth-"})
  void anArchiveRunsWhereItIsUnpacked(String prefix) throws IOException {
    Path archive = archive(prefix + "\\d.*");
    run("tar", "-xzf", archive.toString()).expect(0);
    Path home = only(folder, "berth-\\d.*");
    String berth = home.resolve("bin/berth").toString();
    assertThat(run(berth, "--version").expect(0).out()).startsWith("berth ");
    assertThat(run(berth, "backend", "types").expect(0).out())
        .contains("local")
        .contains("sim")
        .contains("bundled");
    assertThat(home.resolve("plugins")).isEmptyDirectory();
    assertThat(home.resolve("LICENSE")).isRegularFile();
  }

  private FinishedCommand run(String... words) {
    return RunningCommand.start(
            List.of(words), Map.of("BERTH_HOME", folder.resolve("home").toString()), folder, folder)
        .await();
  }

  private static Path archive(String name) throws IOException {
    return only(Distribution.root().resolve("distribution/target"), name + "\\.tar\\.gz");
  }

  private static Path only(Path folder, String name) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      List<Path> found = files.filter(file -> file.getFileName().toString().matches(name)).toList();
      assertThat(found).hasSize(1);
      return found.getFirst();
    }
  }
}
