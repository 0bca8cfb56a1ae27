package dev.berth.client.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is seen of a clone with a real git. */
@Timeout(120)
class GitCloneTest {
  @TempDir Path folder = Path.of("");
  private Path clone = Path.of("");

  @BeforeEach
  void makeClone() throws Exception {
    Assumptions.assumeTrue(Files.isExecutable(Path.of("/usr/bin/git")), "this machine has no git");
    git(
        """
        git init -q --bare -b main train.git && git clone -q train.git clone 2>/dev/null && cd clone &&
        git checkout -q -b main && mkdir deep && echo one >deep/file && echo gone >gone && ln -s gone link &&
        echo '*.log' >.gitignore && git add . && git commit -qm first && git push -q origin main\
        """);
    clone = folder.resolve("clone").toRealPath();
  }

  private void git(String script) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder("sh", "-e", "-c", script).directory(folder.toFile()).inheritIO();
    builder.environment().put("HOME", folder.toString());
    for (String who : new String[] {"AUTHOR", "COMMITTER"}) {
      builder.environment().put("GIT_" + who + "_NAME", "ann");
      builder.environment().put("GIT_" + who + "_EMAIL", "ann@example.com");
    }
    assertThat(builder.start().waitFor()).isZero();
  }

  private String head() {
    return new GitCommand(clone).demand("rev-parse", "HEAD").strip();
  }

  @Test
  void cleanCloneHasNoChanges() throws Exception {
    git("echo noise >clone/deep/x.log");
    GitClone found = GitClone.lookAt(clone.resolve("deep"));
    assertThat(found)
        .isEqualTo(
            new GitClone(
                clone,
                folder.resolve("train.git").toString(),
                false,
                "main",
                head(),
                List.of(),
                List.of()));
    assertThat(found.summary())
        .isEqualTo(found.url() + " at " + head().substring(0, 10) + " (main)");
  }

  @Test
  void whatDiffersIsFoundWhetherCommittedOrNot() throws Exception {
    String pushed = head();
    git(
        """
        cd clone && git checkout -q -b mine && echo two >deep/file && git commit -qam second &&
        echo staged >staged && git add staged && git rm -q gone && rm link && echo file >link &&
        mkdir 'a b' && echo new >'a b/new'\
        """);
    GitClone found = GitClone.lookAt(clone);
    assertThat(found.commit()).isEqualTo(pushed);
    assertThat(found.branch()).isEqualTo("main");
    assertThat(found.changed()).containsExactly("a b/new", "deep/file", "link", "staged");
    assertThat(found.removed()).containsExactly("a b/new", "gone", "link", "staged");
    assertThat(found.summary()).endsWith(" (main), with 5 changes of yours");
  }

  @Test
  void changesArePackedAlikeEachTime() throws Exception {
    git("cd clone && echo two >deep/file && rm gone");
    try (PackedFile one = PackedFile.of(GitClone.lookAt(clone), folder.resolve("a"));
        PackedFile two = PackedFile.of(GitClone.lookAt(clone), folder.resolve("b"))) {
      assertThat(one.manifest()).isEqualTo(two.manifest());
      assertThat(new String(one.chunk(0), StandardCharsets.UTF_8))
          .contains("content/removed", "gone\n", "content/files/deep/file", "two\n");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "https://ann:c4nary@git.example/train.git, https://git.example/train.git",
    "https://c4nary@git.example/train.git, https://git.example/train.git",
    "https://ann:p@c4nary@git.example/train.git, https://git.example/train.git",
    "HTTP://c4nary@git.example:8080/train.git, HTTP://git.example:8080/train.git",
    "ssh://git:c4nary@git.example/train.git, ssh://git@git.example/train.git",
    "ssh://git:p@c4nary@git.example/train.git, ssh://git@git.example/train.git",
  })
  void credentialsOfAnAddressAreNotSent(String address, String sent) throws Exception {
    git("git -C clone remote set-url origin " + address);
    GitClone found = GitClone.lookAt(clone);
    assertThat(found.hadCredentials()).isTrue();
    assertThat(found.url()).isEqualTo(sent);
    assertThat(found.toString()).doesNotContain("c4nary");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "git@git.example:train.git",
        "ssh://git@git.example/train.git",
        "https://git.example/@ann/train.git",
      })
  void userThatIsPartOfAnAddressStays(String address) throws Exception {
    git("git -C clone remote set-url origin " + address);
    GitClone found = GitClone.lookAt(clone);
    assertThat(found.hadCredentials()).isFalse();
    assertThat(found.url()).isEqualTo(address);
  }

  @Test
  void detachedHeadIsFoundOnABranchOfTheRemote() throws Exception {
    git("cd clone && git checkout -q --detach");
    assertThat(GitClone.lookAt(clone).branch()).isEqualTo("main");
  }

  @Test
  void folderThatIsNoCloneIsRefused() {
    assertThatThrownBy(() -> GitClone.lookAt(folder))
        .isInstanceOf(PackingException.class)
        .hasMessageContaining("is not a git repository; use 'files'");
  }

  @Test
  void cloneOfNowhereIsRefused() throws Exception {
    git("git -C clone remote remove origin");
    assertThatThrownBy(() -> GitClone.lookAt(clone))
        .hasMessageContaining("has no remote that a job could clone it from");
  }

  @Test
  void cloneOfWhichNothingWasPushedIsRefused() throws Exception {
    git("cd clone && git checkout -q --orphan fresh && git commit -qm fresh");
    assertThatThrownBy(() -> GitClone.lookAt(clone))
        .hasMessageContaining("was pushed to 'origin'")
        .hasMessageContaining("push it first");
  }
}
