package dev.berth.client.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What ignore files leave out, and what cannot be packed at all. */
class IgnoreRulesTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "*.log          | a.log          | true",
        "*.log          | sub/a.log      | true",
        "*.log          | a.log.txt      | false",
        "/a.log         | sub/a.log      | false",
        "/a.log         | a.log          | true",
        "sub/a.log      | sub/a.log      | true",
        "sub/a.log      | x/sub/a.log    | false",
        "**/a.log       | x/y/a.log      | true",
        "**/a.log       | a.log          | true",
        "x/**/a.log     | x/a.log        | true",
        "x/**/a.log     | x/y/z/a.log    | true",
        "x/**           | x/y            | true",
        "a?c            | abc            | true",
        "a?c            | a/c            | false",
        "[a-c]x         | bx             | true",
        "[!a-c]x        | bx             | false",
        "[!a-c]x        | dx             | true",
        "folder/        | folder         | false",
        "\\#a           | #a             | true",
        "#a             | #a             | false",
        "a.b            | axb            | false",
        "a*c            | ab/c           | false",
      })
  void patternsMeanWhatTheyMeanToGit(String pattern, String path, boolean ignored)
      throws Exception {
    assertThat(isIgnored(pattern, path)).isEqualTo(ignored);
    assertThat(isIgnoredByGit(pattern, path)).as("git itself").isEqualTo(ignored);
  }

  private boolean isIgnored(String pattern, String path) throws IOException {
    Files.writeString(folder.resolve(".gitignore"), pattern + "\n");
    return IgnoreRules.at(folder.toRealPath()).ignores(folder.toRealPath().resolve(path), false);
  }

  private boolean isIgnoredByGit(String pattern, String path) throws Exception {
    Files.writeString(folder.resolve(".gitignore"), pattern + "\n");
    Assumptions.assumeTrue(Files.isExecutable(Path.of("/usr/bin/git")), "git is not installed");
    git("init", "-q");
    return git("check-ignore", "-q", path) == 0;
  }

  private int git(String... words) throws IOException, InterruptedException {
    java.util.List<String> command = new java.util.ArrayList<>(java.util.List.of("git"));
    command.addAll(java.util.List.of(words));
    Process process = new ProcessBuilder(command).directory(folder.toFile()).start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return process.exitValue();
  }

  @Test
  void theNearestFileAndTheLastLineHaveTheLastWord() throws IOException {
    Path root = folder.toRealPath();
    Files.createDirectories(root.resolve("sub"));
    Files.writeString(root.resolve(".gitignore"), "*.log\n!keep.log\n");
    Files.writeString(root.resolve(".berthignore"), "keep.log\n");
    Files.writeString(root.resolve("sub/.dstackignore"), "!a.log\n");
    IgnoreRules rules = IgnoreRules.at(root);
    assertThat(rules.ignores(root.resolve("a.log"), false)).isTrue();
    assertThat(rules.ignores(root.resolve("keep.log"), false)).isTrue();
    IgnoreRules below = rules.below(root.resolve("sub"));
    assertThat(below.ignores(root.resolve("sub/a.log"), false)).isFalse();
    assertThat(below.ignores(root.resolve("sub/b.log"), false)).isTrue();
    assertThat(rules.ignores(root.resolve(".git"), true)).isTrue();
  }

  @Test
  void theRepositoryAroundAFolderCounts() throws IOException {
    Path root = folder.toRealPath();
    Files.createDirectories(root.resolve(".git"));
    Files.createDirectories(root.resolve("src/inner"));
    Files.writeString(root.resolve(".gitignore"), "/src/inner/x\n*.pyc\n");
    IgnoreRules rules = IgnoreRules.at(root.resolve("src/inner"));
    assertThat(rules.ignores(root.resolve("src/inner/x"), false)).isTrue();
    assertThat(rules.ignores(root.resolve("src/inner/a.pyc"), false)).isTrue();
    assertThat(rules.ignores(root.resolve("src/inner/y"), false)).isFalse();
  }

  @Test
  void linksThatLeadOutAreRefusedWithTheWayOut() throws IOException {
    Path data = Files.createDirectories(folder.resolve("data"));
    Files.createSymbolicLink(data.resolve("link"), Path.of("../elsewhere"));
    assertThatThrownBy(() -> PackedFile.of(data, folder.resolve("packing")))
        .isInstanceOf(PackingException.class)
        .hasMessageContaining("leads to ../elsewhere")
        .hasMessageContaining(".berthignore");
    assertThat(folder.resolve("packing")).isEmptyDirectory();
    Files.writeString(data.resolve(".berthignore"), "link\n");
    try (PackedFile packed = PackedFile.of(data, folder.resolve("packing"))) {
      assertThat(packed.manifest().chunks()).hasSize(1);
    }
  }
}
