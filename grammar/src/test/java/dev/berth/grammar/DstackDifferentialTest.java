package dev.berth.grammar;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * dstack itself and Berth read the same files. They agree on each, or differ as {@code
 * docs/guides/coming-from-dstack.md} says. {@code -Dberth.dstack.mutants=N} reads more files, and
 * {@code -Dberth.seed=N} begins at another one.
 */
final class DstackDifferentialTest {
  private static final int MUTANTS = Integer.getInteger("berth.dstack.mutants", 5_000);
  private static final int MOST_SHOWN = 10;
  private static final Path GUIDE = Path.of("../docs/guides/coming-from-dstack.md");

  @Test
  void bothReadTheSameButForListedDifferences(@TempDir Path folder) throws IOException {
    Mutants mutants = new Mutants();
    long first = Long.getLong("berth.seed", 0);
    List<String> unlisted = new ArrayList<>();
    try (DstackPeer dstack = DstackPeer.start(folder)) {
      for (String file : mutants.files()) {
        assertThat(dstack.judge(file).refused()).as(file).isNull();
        judge("as it stands", file, dstack, unlisted);
      }
      LongStream.range(first, first + MUTANTS)
          .forEach(seed -> judge("seed " + seed, mutants.mutant(seed), dstack, unlisted));
    }
    assertThat(unlisted.size())
        .as(
            "files with differences that the guide does not list, the first of them:%n%s",
            String.join("\n", unlisted.stream().limit(MOST_SHOWN).toList()))
        .isZero();
  }

  private static void judge(String origin, String file, DstackPeer dstack, List<String> unlisted) {
    List<String> unknown =
        DstackDifference.signs(file, dstack.judge(file)).stream()
            .filter(sign -> DstackDifference.of(sign).isEmpty())
            .toList();
    if (!unknown.isEmpty()) {
      unlisted.add(origin + ": " + String.join("\n", unknown) + "\n" + file);
    }
  }

  @Test
  void eachListedDifferenceStillExists(@TempDir Path folder) throws IOException {
    try (DstackPeer dstack = DstackPeer.start(folder)) {
      for (DstackDifference difference : DstackDifference.values()) {
        List<String> signs =
            DstackDifference.signs(difference.example, dstack.judge(difference.example));
        assertThat(signs).as(difference.id()).isNotEmpty().allMatch(difference::explains);
      }
    }
  }

  @Test
  void theGuideListsTheDifferencesThatTheTestKnows() throws IOException {
    List<String> listed =
        Pattern.compile("(?m)^\\| `([a-z-]+)` \\|")
            .matcher(Files.readString(GUIDE))
            .results()
            .map(match -> match.group(1))
            .toList();
    assertThat(listed)
        .containsExactlyInAnyOrderElementsOf(
            Stream.of(DstackDifference.values()).map(DstackDifference::id).toList());
  }
}
