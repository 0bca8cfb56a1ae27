package dev.berth.planning.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.config.FileMapping;
import dev.berth.model.config.RepoSpec;
import dev.berth.planning.testing.TaskBuilder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What comes before a job's commands, run by real shells with a real git. */
@Timeout(120)
final class RepositoryScriptTest {
  private static final String CHANGES = "0123456789abcdef".repeat(4);
  private static final Path GIT = Path.of("/usr/bin/git");
  private static final Path BUSYBOX = Path.of("/usr/bin/busybox");
  private static final Path OVERLAY = Path.of(".berth-changes-0123456789abcdef");

  @TempDir Path folder = Path.of("");
  private Path work = Path.of("");
  private String first = "";
  private String second = "";
  private String searchPath = "/usr/local/bin:/usr/bin:/bin";
  private RepoSpec.IfExists exists = RepoSpec.IfExists.ERROR;
  private String shell = "sh";
  private final TaskBuilder task = TaskBuilder.task();

  private record Ended(int code, String out, String err) {}

  @BeforeEach
  void makeRepository() throws Exception {
    require(GIT);
    work = Files.createDirectory(folder.resolve("work"));
    first =
        git(
            """
            mkdir source && cd source && git init -q -b main . &&
            mkdir -p deep/er && echo one >deep/er/file && echo '#!/bin/sh' >tool && chmod 755 tool &&
            ln -s deep/er/file link && echo gone >gone && echo ' $HOME' >'a name' &&
            git add . && git commit -q -m first && git rev-parse HEAD\
            """);
    second =
        git("cd source && echo two >deep/er/file && git commit -qam second && git rev-parse HEAD");
    git(
        "git clone -q --bare source train.git && cd source && git checkout -q -b other && echo"
            + " other >other && git add . && git commit -qm other && git push -q ../train.git"
            + " other");
  }

  private static void require(Path program) {
    Assumptions.assumeTrue(Files.isExecutable(program), () -> "this machine has no " + program);
  }

  private String git(String script) throws Exception {
    Ended ended =
        run(
            List.of(
                "sh",
                "-c",
                "export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a"
                    + " GIT_COMMITTER_EMAIL=a@b; "
                    + script),
            folder);
    assertThat(ended.code()).as(ended.err()).isZero();
    return ended.out().strip();
  }

  private Ended run(List<String> command, Path directory) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.environment().clear();
    builder.environment().put("PATH", searchPath);
    builder.environment().put("HOME", folder.toString());
    Path err = folder.resolve("err");
    builder.redirectError(err.toFile());
    Process process = builder.start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ended(process.waitFor(), out, Files.readString(err));
  }

  /** Runs what comes before a job's commands, and then commands. */
  private Ended checkOut(
      @Nullable String branch, @Nullable String hash, String path, boolean changed, String after)
      throws Exception {
    String url = "file://" + folder.resolve("train.git");
    task.repos.add(
        new RepoSpec(null, url, branch, hash, path, exists, changed ? CHANGES : null, null, null));
    List<String> commands =
        Objects.requireNonNull(RepositoryCheckout.of(task.build().run(), "main")).commands();
    String script =
        Stream.concat(commands.stream(), Stream.of(after))
            .map(command -> command + "\ncase $? in 0) ;; *) exit $? ;; esac\n")
            .reduce("", String::concat);
    return run(List.of(shell, "-c", script), work);
  }

  @ParameterizedTest
  @ValueSource(strings = {"dash", "bash", "busybox"})
  void commitIsThereWithTheUsersChanges(String name) throws Exception {
    shell = name.equals("busybox") ? busybox() : name;
    require(Path.of("/usr/bin", name));
    Path files = Files.createDirectories(work.resolve(OVERLAY).resolve("files/deep"));
    Files.writeString(files.resolve("new"), "new");
    Files.createDirectories(files.resolve("er"));
    Files.writeString(files.resolve("er/file"), "mine");
    // Where there was a link is a file now, and where there was a file is a folder.
    Files.writeString(files.resolveSibling("link"), "no link");
    Files.createDirectories(files.resolveSibling("a name"));
    Files.writeString(files.resolveSibling("a name/inside"), "inside");
    Files.writeString(
        work.resolve(OVERLAY).resolve("removed"), "gone\nlink\na name\na name/inside\n");
    Ended ended =
        checkOut(
            "main",
            first,
            ".",
            true,
            "git status --porcelain; git rev-parse HEAD;"
                + " git branch --show-current; echo $DSTACK_REPO_DIR");
    assertThat(ended.err()).isEmpty();
    assertThat(ended.out().lines())
        .containsExactly(
            " D \"a name\"",
            " M deep/er/file",
            " D gone",
            " T link",
            "?? deep/new",
            first,
            "main",
            work.toRealPath().toString());
    assertThat(work.resolve("deep/er/file")).hasContent("mine");
    assertThat(work.resolve("link")).isRegularFile().hasContent("no link");
    assertThat(work.resolve("a name/inside")).hasContent("inside");
    assertThat(work.resolve("tool")).isExecutable();
    assertThat(names(work)).containsExactly(".git", "a name", "deep", "link", "tool");
  }

  /** Its own tools, as on Alpine, and git. */
  private String busybox() throws Exception {
    require(BUSYBOX);
    Path tools = Files.createDirectories(Path.of("target", "busybox-tools").toAbsolutePath());
    if (Files.notExists(tools.resolve("git"))) {
      run(List.of(BUSYBOX.toString(), "--install", "-s", tools.toString()), folder);
      Files.createSymbolicLink(tools.resolve("git"), GIT);
    }
    searchPath = tools.toString();
    return tools.resolve("sh").toString();
  }

  private static List<String> names(Path directory) throws IOException {
    try (Stream<Path> paths = Files.list(directory)) {
      return paths.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void withoutACommitTheBranchesNewestIsTaken() throws Exception {
    Ended ended = checkOut("other", null, "code/here", false, "cat code/here/other; pwd -P");
    assertThat(ended).isEqualTo(new Ended(0, "other\n" + work.toRealPath() + "\n", ""));
  }

  @Test
  void withoutABranchTheCommitIsDetached() throws Exception {
    Ended ended =
        checkOut(
            null,
            second,
            "~/in home",
            false,
            "git -C ~/'in home' branch --show-current;" + " git -C ~/'in home' rev-parse HEAD");
    assertThat(ended).isEqualTo(new Ended(0, second + "\n", ""));
  }

  @Test
  void whatTheRunPutsThereStays() throws Exception {
    task.files.add(new FileMapping("x", "deep/er/file", CHANGES));
    task.files.add(new FileMapping("y", "./data", CHANGES));
    task.files.add(new FileMapping("z", "/tmp/elsewhere", CHANGES));
    Files.createDirectories(work.resolve("deep/er"));
    Files.writeString(work.resolve("deep/er/file"), "given");
    Files.writeString(work.resolve("data"), "data");
    Ended ended = checkOut("main", null, ".", false, "cat deep/er/file data gone");
    assertThat(ended).isEqualTo(new Ended(0, "givendatagone\n", ""));
    assertThat(names(work))
        .containsExactly(".git", "a name", "data", "deep", "gone", "link", "tool");
  }

  @Test
  void folderWithSomethingElseInItIsLeftAlone() throws Exception {
    Files.writeString(work.resolve("mine"), "precious");
    Ended ended = checkOut("main", null, ".", false, "echo reached");
    assertThat(ended.code()).isEqualTo(1);
    assertThat(ended.out()).isEmpty();
    assertThat(ended.err())
        .contains(". is not empty: mine is in it; name another 'path'", "'if_exists: skip'");
    assertThat(names(work)).containsExactly("mine");
  }

  @Test
  void folderWithSomethingElseInItIsUsedWhereThatIsWanted() throws Exception {
    exists = RepoSpec.IfExists.SKIP;
    Files.writeString(work.resolve("mine"), "precious");
    assertThat(checkOut("main", null, ".", false, "ls -A")).isEqualTo(new Ended(0, "mine\n", ""));
  }

  @Test
  void commitThatIsNotThereIsToldAndNothingIsLeft() throws Exception {
    Ended ended = checkOut("main", "abad1dea", ".", false, "echo reached");
    assertThat(ended.code()).isEqualTo(1);
    assertThat(ended.err()).contains("train.git has no commit abad1dea; push it first");
    assertThat(names(work)).isEmpty();
  }

  @Test
  void commitOfAnotherBranchIsFetched() throws Exception {
    String other = git("git -C train.git rev-parse other");
    git("git -C train.git config uploadpack.allowReachableSHA1InWant true");
    assertThat(checkOut("main", other, ".", false, "cat other").out()).isEqualTo("other\n");
  }

  @Test
  void machineWithoutGitIsTold() throws Exception {
    searchPath = Files.createDirectory(folder.resolve("none")).toString();
    shell = "/bin/sh";
    Files.createSymbolicLink(folder.resolve("none/sh"), Path.of("/bin/sh"));
    assertThat(checkOut("main", null, ".", false, "echo reached").err())
        .contains("berth: git is not there, and is needed to clone file://");
  }
}
