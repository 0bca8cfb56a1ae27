package dev.berth.hosts.process;

import static dev.berth.hosts.access.local.ThisMachine.path;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.hosts.access.MachinePath;
import dev.berth.hosts.access.local.Cgroups;
import dev.berth.hosts.jobdir.ExitReason;
import dev.berth.hosts.jobdir.InputFile;
import dev.berth.hosts.jobdir.Observation.Exited;
import dev.berth.hosts.jobdir.OutputSizes;
import dev.berth.hosts.jobdir.OutputStreamName;
import dev.berth.hosts.jobdir.ShellJob;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A job's exit code, output and variables are exactly its own, under every shell that may interpret
 * the runner.
 */
final class JobResultTest {
  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  void outputIsKeptByteForByte(JobShell shell) throws Exception {
    Random random = new Random(7);
    byte[] binary = new byte[10 << 20];
    random.nextBytes(binary);
    StringBuilder longLines = new StringBuilder();
    for (int line = 0; line < 50; line++) {
      longLines.append(Character.toString('a' + line % 26).repeat(40_000)).append('\n');
    }
    byte[] text = longLines.append("no final newline").toString().getBytes(StandardCharsets.UTF_8);
    Path binaryFile = Files.write(folder.resolve("binary"), binary);
    Path textFile = Files.write(folder.resolve("text"), text);
    try (JobFixture jobs = new JobFixture(folder, shell, Cgroups.detect())) {
      ShellJob spec =
          new ShellJob(
              "bytes",
              "sh",
              List.of("cat binary", "cat sub/text >&2"),
              null,
              Map.of(),
              Duration.ofSeconds(5),
              null,
              null,
              null,
              List.of(
                  new InputFile(MachinePath.of("binary"), path(binaryFile)),
                  new InputFile(MachinePath.of("sub/text"), path(textFile))));
      Exited exited = jobs.run(spec);
      assertThat(exited.code()).hasValue(0);
      assertThat(exited.sizes()).isEqualTo(new OutputSizes(binary.length, text.length));
      assertThat(sha256(jobs.output("bytes", OutputStreamName.STDOUT))).isEqualTo(sha256(binary));
      assertThat(sha256(jobs.output("bytes", OutputStreamName.STDERR))).isEqualTo(sha256(text));
      assertThat(jobs.runtime.timeIndex("bytes").getLast().sizes()).isEqualTo(exited.sizes());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "true                          | 0",
        "exit 3                        | 3",
        "exit 255                      | 255",
        "kill -KILL $$                 | 137",
        "kill -TERM $$                 | 143",
        "kill -INT $$                  | 130",
        "kill -HUP $$                  | 129",
        "kill -USR1 $$                 | 138",
        "no-such-command-anywhere      | 127"
      })
  void exitCodeIsTheJobs(String command, int code) throws Exception {
    for (JobShell shell : JobShell.values()) {
      try (JobFixture jobs =
          new JobFixture(folder.resolve(shell.name()), shell, Cgroups.detect())) {
        Exited exited = jobs.run(JobFixture.spec("code", command));
        boolean ignored =
            shell.ignoredSignals().stream()
                .anyMatch(signal -> command.equals("kill -" + signal + " $$"));
        assertThat(exited.code()).as(shell.name()).hasValue(ignored ? 0 : code);
        assertThat(exited.reason()).isEqualTo(ExitReason.EXITED);
        assertThat(exited.startedAt().orElseThrow()).isBeforeOrEqualTo(exited.endedAt());
      }
    }
  }

  @Test
  void firstFailingCommandEndsTheJob() throws Exception {
    try (JobFixture jobs = new JobFixture(folder)) {
      Exited exited = jobs.run(JobFixture.spec("fails", "echo one", "(exit 9)", "echo three"));
      assertThat(exited.code()).hasValue(9);
      assertThat(jobs.text("fails")).isEqualTo("one\n");
    }
  }

  @Test
  void commandsShareOneShellAndCannotSwallowEachOther() throws Exception {
    try (JobFixture jobs = new JobFixture(folder)) {
      Exited exited =
          jobs.run(
              JobFixture.spec(
                  "joined",
                  "X=1; mkdir d; cd d # a comment",
                  "cat <<'END'\nit's $X\nEND",
                  "echo background & wait",
                  "# nothing but a comment",
                  "if [ $X = 1 ]\nthen echo \"multi line\"\nfi",
                  "cat <<UNCLOSED\nunclosed\n",
                  "echo ${PWD##*/} $# || exit 5"));
      assertThat(exited.code()).hasValue(0);
      assertThat(jobs.text("joined")).isEqualTo("it's $X\nbackground\nmulti line\nunclosed\nd 0\n");
    }
  }

  @Test
  void setMinusEStaysInForce() throws Exception {
    try (JobFixture jobs = new JobFixture(folder)) {
      Exited exited =
          jobs.run(JobFixture.spec("errexit", "set -e", "(exit 4)\necho not reached", "true"));
      assertThat(exited.code()).hasValue(4);
      assertThat(jobs.text("errexit")).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void variablesAreDataWhateverTheyContain(JobShell shell) throws Exception {
    Map<String, String> variables = new LinkedHashMap<>();
    variables.put("QUOTES", "it's \"quoted\" `id` $(touch /tmp/berth-injected) ${HOME}\\");
    variables.put("LINES", "a\n'; exit 77; '\n\nb\n");
    variables.put("CONTROL", "\u0001\u0002\u007f\u0081\u0088\t\r\u001b[0m");
    variables.put("UNICODE", "grün 日本 \ud83d\ude80");
    variables.put("EMPTY", "");
    variables.put("IFS", "abc");
    variables.put("job", "/nonsense");
    // The job's own shell wants a number here.
    variables.put("OPTIND", "7");
    variables.put("shell", "nonsense");
    variables.put("become", "nonsense");
    variables.put("PATH", "/usr/bin:/bin:/it's $odd");
    for (String kept :
        List.of("RANDOM", "SECONDS", "UID", "PPID", "LINENO", "BASHPID", "GROUPS", "HISTCMD")) {
      variables.put(kept, "a[$(touch /tmp/berth-injected)]");
    }
    try (JobFixture jobs = new JobFixture(folder, shell, Cgroups.detect())) {
      ShellJob spec = JobFixture.spec("env", "exec cat /proc/self/environ");
      Exited exited = jobs.run(JobFixture.with(spec, variables, Duration.ofSeconds(5), null));
      assertThat(exited.code()).hasValue(0);
      List<String> seen = List.of(jobs.text("env").split("\0"));
      for (String name :
          List.of(
              "QUOTES", "LINES", "CONTROL", "UNICODE", "EMPTY", "job", "shell", "become", "PATH",
              "UID", "SECONDS")) {
        assertThat(seen).contains(name + "=" + variables.get(name));
      }
      assertThat(seen).contains("PYTHONUNBUFFERED=1", "BERTH_ATTEMPT_ID=env");
      assertThat(seen)
          .noneMatch(variable -> variable.startsWith("TERM=") || variable.startsWith("JAVA"));
      assertThat(Path.of("/tmp/berth-injected")).doesNotExist();
    }
  }

  @Test
  void signalsStartWithTheirDefaults() throws Exception {
    List<String> ignored = JobShell.DASH.ignoredSignals();
    assumeTrue(ignored.isEmpty(), () -> ignored + " are ignored and env has no --default-signal");
    try (JobFixture jobs = new JobFixture(folder)) {
      jobs.run(JobFixture.spec("signals", "grep -E 'SigIgn|SigBlk' /proc/self/status"));
      // Those above 31 are real-time signals, which the C library keeps to itself.
      assertThat(jobs.text("signals").lines())
          .hasSize(2)
          .allMatch(
              line ->
                  (Long.parseLong(line.substring(line.indexOf('	') + 1), 16) & 0x7fffffff) == 0);
    }
  }

  @Test
  void missingWorkingDirectoryIsAStartFailure() throws Exception {
    try (JobFixture jobs = new JobFixture(folder)) {
      Exited exited = jobs.run(inDirectory("nowhere", "sh", MachinePath.of("/no/such/place")));
      assertThat(exited.reason()).isEqualTo(ExitReason.START_FAILED);
      assertThat(exited.code()).isEqualTo(OptionalInt.empty());
      assertThat(exited.detail())
          .isEqualTo("the working directory /no/such/place does not exist or cannot be entered");
      assertThat(exited.startedAt()).isEmpty();
    }
  }

  @Test
  void missingShellIsAStartFailure() throws Exception {
    try (JobFixture jobs = new JobFixture(folder)) {
      Exited exited = jobs.run(inDirectory("no-shell", "no-such-shell", path(folder)));
      assertThat(exited.reason()).isEqualTo(ExitReason.START_FAILED);
      assertThat(exited.detail()).isEqualTo("the shell no-such-shell is not on this machine");
    }
  }

  @Test
  void anOutputFileThatCannotBeOpenedIsAStartFailure() throws Exception {
    try (JobFixture jobs = new JobFixture(folder)) {
      jobs.runtime.prepare(JobFixture.spec("no-output", "true"));
      Files.delete(path(jobs.directory("no-output").file("stdout")));
      Files.createDirectory(path(jobs.directory("no-output").file("stdout")));
      jobs.runtime.start("no-output");
      Exited exited = jobs.awaitExit("no-output");
      assertThat(exited.reason()).isEqualTo(ExitReason.START_FAILED);
      assertThat(exited.detail()).isEqualTo("the output files cannot be opened");
    }
  }

  private static ShellJob inDirectory(
      String attemptId, String shell, @Nullable MachinePath directory) {
    return new ShellJob(
        attemptId,
        shell,
        List.of("true"),
        directory,
        Map.of(),
        Duration.ofSeconds(1),
        null,
        null,
        null,
        List.of());
  }

  private static String sha256(byte[] bytes) throws Exception {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
  }
}
