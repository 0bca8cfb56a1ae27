package dev.berth.hosts.process;

import static dev.berth.hosts.access.local.ThisMachine.path;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.hosts.HostException;
import dev.berth.hosts.access.local.Cgroups;
import dev.berth.hosts.jobdir.OutputStreamName;
import dev.berth.hosts.jobdir.ShellJob;
import dev.berth.model.Secret;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Jobs get secrets; nobody else does. */
class JobSecretsTest {
  private static final String VALUE = "c*n.a[r]y/\\$^'\"&é,1";

  @TempDir Path folder;

  private static ShellJob spec(String id, Map<String, Secret> secrets, String... commands) {
    return JobFixture.spec(id, commands).with(secrets);
  }

  private static void launch(JobFixture jobs, ShellJob spec) {
    jobs.runtime.prepare(spec);
    jobs.runtime.start(spec.attemptId(), spec.secrets(), List.copyOf(spec.secrets().values()));
  }

  @ParameterizedTest
  @EnumSource(JobShell.class)
  void jobHasItAndTheDiskHasNot(JobShell shell) throws IOException {
    try (JobFixture jobs = new JobFixture(folder, shell, Cgroups.none())) {
      ShellJob spec =
          spec(
              "a",
              Map.of("KEY", Secret.of(VALUE)),
              "printf 'has %s.' \"$KEY\"",
              "printf 'and %s' \"$KEY\" >&2",
              "env | grep -c BERTH_RUNNER || true",
              "printf %s \"$KEY\" | wc -c");
      launch(jobs, spec);
      jobs.awaitExit("a");
      int length = VALUE.getBytes(StandardCharsets.UTF_8).length;
      assertThat(jobs.text("a")).isEqualTo("has " + "*".repeat(length) + ".0\n" + length + "\n");
      assertThat(holding(jobs.root, VALUE)).isEmpty();
      assertThat(path(jobs.directory("a").file("masked"))).exists();
    }
  }

  @Test
  void whileItRunsOutputIsHiddenAlsoByAServerThatDidNotStartIt() throws IOException {
    try (JobFixture jobs = new JobFixture(folder)) {
      launch(
          jobs,
          spec("a", Map.of("KEY", Secret.of("first-secret")), "echo \"<$KEY>\"", "sleep 100"));
      jobs.awaitFirstLine("a");
      ProcessRuntime other =
          new ProcessRuntime(JobFixture.settings(jobs.root, JobShell.DASH, Cgroups.none()));
      byte[] bytes = other.read("a", OutputStreamName.STDOUT, 0, 100).bytes();
      assertThat(bytes).asString(StandardCharsets.UTF_8).isEqualTo("<************>\n");
      assertThat(commandLines()).noneMatch(line -> line.contains("first-secret"));
      List<Path> holding = holding(jobs.root, "first-secret");
      // What the job prints is in its own file until it ends.
      assertThat(holding).containsExactly(path(jobs.directory("a").file("stdout")));
    }
    assertThat(holding(folder, "first-secret")).isEmpty();
  }

  @Test
  void manyAndLongOnesArriveAsTheyAre() {
    try (JobFixture jobs = new JobFixture(folder)) {
      Map<String, Secret> secrets = new LinkedHashMap<>();
      secrets.put("LINES", Secret.of("-----BEGIN-----\nabcdef\nxyz\n-----END-----\n"));
      secrets.put("SHORT", Secret.of("abc"));
      secrets.put("EMPTY", Secret.of(""));
      secrets.put("LONG", Secret.of("0123456789abcdef".repeat(4096)));
      secrets.put("LAST", Secret.of("$(touch hacked) `touch hacked`"));
      launch(
          jobs,
          spec(
              "a",
              secrets,
              "echo ${#LINES} ${#SHORT} ${#EMPTY} ${#LONG} ${#LAST}",
              "ls",
              "echo \"$LINES\" | sed 's/^/  /'",
              "echo $SHORT $LAST"));
      jobs.awaitExit("a");
      assertThat(jobs.text("a"))
          .isEqualTo(
              """
              41 3 0 65536 30
                ***************
                ******
                xyz
                *************
               \s
              abc ******************************
              """);
    }
  }

  @Test
  void aSecretIsHiddenAlsoWithoutTheWordsAroundIt() throws IOException {
    try (JobFixture jobs = new JobFixture(folder)) {
      ShellJob spec =
          spec("a", Map.of("KEY", Secret.of("user:canary-1")), "echo $KEY ${KEY#user:}");
      jobs.runtime.prepare(spec);
      jobs.runtime.start("a", spec.secrets(), List.of(Secret.of("canary-1")));
      jobs.awaitExit("a");
      assertThat(jobs.text("a")).isEqualTo("user:******** ********\n");
      assertThat(holding(jobs.root, "canary-1")).isEmpty();
    }
  }

  @Test
  void bytesThatAreNoTextStayAsTheyAre() throws IOException {
    try (JobFixture jobs = new JobFixture(folder)) {
      launch(
          jobs,
          spec(
              "a",
              Map.of("KEY", Secret.of("canary-1")),
              "printf '\\000\\377\\n%s\\000%s\\r\\n\\376' \"$KEY\" \"$KEY\""));
      jobs.awaitExit("a");
      assertThat(Files.readAllBytes(path(jobs.directory("a").file("stdout"))))
          .isEqualTo(
              "\0\u00ff\n********\0********\r\n\u00fe".getBytes(StandardCharsets.ISO_8859_1));
    }
  }

  @Test
  void shellsKeepSomeVariablesForThemselves() {
    assertThatThrownBy(() -> spec("a", Map.of("BASH_ENV", Secret.of("word")), "true"))
        .isInstanceOf(HostException.class)
        .hasMessageContaining("BASH_ENV")
        .hasMessageNotContaining("word ");
  }

  private static List<String> commandLines() throws IOException {
    List<String> lines = new ArrayList<>();
    try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
      for (Path process :
          processes.filter(one -> one.getFileName().toString().matches("[0-9]+")).toList()) {
        try {
          lines.add(Files.readString(process.resolve("cmdline"), StandardCharsets.ISO_8859_1));
        } catch (IOException gone) {
          // Ended meanwhile.
          lines.add("");
        }
      }
    }
    return lines;
  }

  private static List<Path> holding(Path folder, String word) throws IOException {
    List<Path> found = new ArrayList<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (Files.readString(file, StandardCharsets.ISO_8859_1)
            .contains(
                new String(word.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1))) {
          found.add(file);
        }
      }
    }
    return found;
  }
}
