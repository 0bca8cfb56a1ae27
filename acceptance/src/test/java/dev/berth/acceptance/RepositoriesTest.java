package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Repositories of runs, through the command line: real clones, from a server that wants a token.
 */
@Timeout(900)
class RepositoriesTest {
  private static final String TOKEN = "T0ken.c4nary/7+a";

  private TestHome home;
  private Path clone;

  @BeforeEach
  void open() throws Exception {
    Assumptions.assumeTrue(
        Files.isExecutable(Path.of("/usr/lib/git-core/git-http-backend")),
        "this machine has no git with its server for the web");
    home = TestHome.fresh();
    // Otherwise the job would use what the person who runs the tests has told git.
    home.set("HOME", Files.createDirectory(home.scratch().resolve("person")).toString());
    // The tests' own folder lies inside of a repository.
    home.set("GIT_CEILING_DIRECTORIES", home.scratch().toString());
    git(
        """
        git init -q --bare -b main train.git && git clone -q train.git clone 2>/dev/null && cd clone &&
        git checkout -q -b main && echo one >code && echo gone >gone && git add . && git commit -qm first &&
        git push -q origin main\
        """);
    clone = home.scratch().resolve("clone");
  }

  @AfterEach
  void close() {
    if (home != null) {
      home.close();
    }
  }

  private void git(String script) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder("sh", "-e", "-c", script).directory(home.scratch().toFile()).inheritIO();
    for (String who : List.of("AUTHOR", "COMMITTER")) {
      builder.environment().put("GIT_" + who + "_NAME", "ann");
      builder.environment().put("GIT_" + who + "_EMAIL", "ann@example.com");
    }
    assertThat(builder.start().waitFor()).isZero();
  }

  @Test
  void jobGetsTheCloneWithWhatIsNotPushed() throws Exception {
    git(
        """
        cd clone && echo two >code && git commit -qam second && rm gone && mkdir new && echo new >new/file &&
        echo noise >noise.log && echo '*.log' >.gitignore\
        """);
    home.file("extra", "extra");
    Path file =
        home.task(
            "mine",
            "repos: [\"clone:src\"]\nfiles: [\"extra:src/extra\"]",
            "cd src && cat code new/file extra && git status --porcelain && ls");
    FinishedCommand apply = home.berth("apply", "-f", file.toString(), "-y").expect(0);
    assertThat(apply.out())
        .isEqualTo(
            """
            two
            new
            extra M code
             D gone
            ?? .gitignore
            ?? extra
            ?? new/
            code
            extra
            new
            """);
    assertThat(apply.err()).contains("train.git at ", " (main), with 4 changes of yours");
  }

  @Test
  void privateRepositoryIsClonedAndItsTokenIsNowhere() throws Exception {
    try (PrivateGitServer server = new PrivateGitServer(home.scratch(), "git", TOKEN)) {
      Path value = home.file("token", TOKEN);
      home.berth("secret", "set", "git-token", "--value-file", value.toString()).expect(0);
      Files.delete(value);
      Path file =
          home.task(
              "private",
              """
              repos:
                - url: %s
                  token: ${{ secrets.git-token }}\
              """
                  .formatted(server.url("train.git")),
              "cat code && cat .git/config && env && cat /proc/self/environ");
      FinishedCommand apply = home.berth("apply", "-f", file.toString(), "-y").expect(0);
      assertThat(apply.out()).startsWith("one\n[core]").doesNotContain(TOKEN, "REPOSITORY_TOKEN");
      assertThat(apply.out()).contains("url = " + server.url("train.git"));
      assertThat(server.seen()).isEmpty();
      assertThat(home.holding(TOKEN)).isEmpty();
    }
  }

  @Test
  void withoutTheTokenNobodyIsAskedAndTheReasonIsSeen() throws Exception {
    try (PrivateGitServer server = new PrivateGitServer(home.scratch(), "git", TOKEN)) {
      Path file = home.task("refused", "repos: ['" + server.url("train.git") + "']", "cat code");
      FinishedCommand apply = home.berth("apply", "-f", file.toString(), "-y").expect(1);
      assertThat(apply.out()).isEmpty();
      assertThat(apply.err()).contains("train.git could not be cloned; git says why above");
    }
  }

  @Test
  void keyGoesThroughAnAgentAndIsInNoFile() throws Exception {
    for (String tool : List.of("ssh-agent", "ssh-add", "ssh-keygen")) {
      Assumptions.assumeTrue(
          Files.isExecutable(Path.of("/usr/bin", tool)), "this machine has no " + tool);
    }
    Path key = home.scratch().resolve("key");
    git("ssh-keygen -q -t ed25519 -N '' -C berth-test -f key");
    String secret = Files.readString(key);
    home.berth("secret", "set", "deploy", "--value-file", key.toString()).expect(0);
    Files.delete(key);
    // In place of ssh: notes the keys that the agent offers, and serves the repository itself.
    Path ssh =
        home.file(
            "ssh",
            "#!/bin/sh\nssh-add -l >'%s/offered'\nfor last; do :; done\nexec sh -c \"$last\"\n"
                .formatted(home.scratch()));
    Files.setPosixFilePermissions(ssh, PosixFilePermissions.fromString("rwx------"));
    Path file =
        home.task(
            "keyed",
            """
            env: {GIT_SSH_COMMAND: '%s'}
            repos:
              - url: git@git.example:%s
                ssh_key: ${{ secrets.deploy }}\
            """
                .formatted(ssh, home.scratch().resolve("train.git")),
            "cat code; env | grep -c SSH_AGENT || true");
    FinishedCommand apply = home.berth("apply", "-f", file.toString(), "-y").expect(0);
    assertThat(apply.out()).isEqualTo("one\n0\n");
    assertThat(home.scratch().resolve("offered")).content().contains("berth-test (ED25519)");
    assertThat(home.holding(secret.lines().toList().get(1))).isEmpty();
  }

  @Test
  void folderThatIsNoCloneIsRefusedBeforeAnythingIsAsked() {
    Path file = home.task("none", "repos: ['person']", "true");
    FinishedCommand apply = home.berth("apply", "-f", file.toString(), "-y").expect(65);
    assertThat(apply.err())
        .contains("none.berth.yml: repos: ", "is not a git repository; use 'files'");
    assertThat(clone).exists();
  }
}
