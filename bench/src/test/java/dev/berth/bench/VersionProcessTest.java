package dev.berth.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VersionProcessTest {
  @TempDir Path folder;

  @Test
  void isSkippedWithAReasonWhereThePeerIsNotInstalled() throws IOException {
    VersionProcess benchmark = new VersionProcess(":/nonexistent:" + folder);
    assertThat(benchmark.missing(folder))
        .hasValueSatisfying(why -> assertThat(why).contains("dstack"));
    Path peer = Files.writeString(folder.resolve("dstack"), "#!/bin/sh\n");
    assertThat(peer.toFile().setExecutable(true)).isTrue();
    assertThat(benchmark.missing(folder)).isEmpty();
  }
}
