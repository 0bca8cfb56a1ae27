package dev.berth.grammar;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of the largest size cost no more than their size, whatever they are made of. */
final class HostileFilesTest {
  @Test
  void theLargestFilesAreReadInASmallHeap(@TempDir Path folder)
      throws IOException, InterruptedException {
    SmallHeap.Result result = SmallHeap.run(folder, HostileFiles.class, List.of());
    assertThat(result.exitCode()).as(result.tail()).isZero();
    assertThat(result.output()).contains("read ");
  }
}
