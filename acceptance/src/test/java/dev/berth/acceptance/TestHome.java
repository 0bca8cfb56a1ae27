package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.testing.FilesThatAreThere;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A fresh {@code BERTH_HOME} with the commands that use it. Closing ends its embedded server and
 * checks that no process of it is left.
 */
final class TestHome implements AutoCloseable {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private final Path base;
  private final Path scratch;
  private final Map<String, String> variables = new HashMap<>();

  private TestHome(Path base) throws IOException {
    this.base = base;
    this.scratch = Files.createDirectory(base.resolve("scratch"));
    variables.put("BERTH_HOME", folder().toString());
  }

  static TestHome fresh() {
    try {
      return new TestHome(
          Files.createTempDirectory(Path.of(System.getProperty("java.io.tmpdir")), "home"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** One whose files are in a folder that the test chose and deletes. */
  static TestHome in(Path base) {
    try {
      return new TestHome(base);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sets a variable of all commands to come. */
  TestHome set(String name, String value) {
    variables.put(name, value);
    return this;
  }

  Path folder() {
    return base.resolve("home");
  }

  /** A folder for the files of a test. */
  Path scratch() {
    return scratch;
  }

  /** Writes a file for a command or a job. */
  Path file(String name, String text) {
    try {
      return Files.writeString(scratch.resolve(name), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes the configuration of a task. */
  Path task(String name, String fields, String commands) {
    return file(
        name + ".berth.yml",
        "type: task\nname: "
            + name
            + "\n"
            + (fields.isEmpty() ? "" : fields + "\n")
            + "commands:\n  - |\n"
            + commands.strip().indent(4));
  }

  /** Starts a command of Berth. */
  RunningCommand start(String... arguments) {
    return startProgram(Distribution.command(arguments), scratch);
  }

  /**
   * Starts a command of Berth that hears Ctrl-C. A build in the background has it ignored, and its
   * children inherit that.
   */
  RunningCommand startAtTheTerminal(String... arguments) {
    List<String> command = new ArrayList<>(List.of("env", "--default-signal=INT"));
    command.addAll(Distribution.command(arguments));
    return startProgram(command, scratch);
  }

  /**
   * Starts a command of Berth in a terminal of its own, which {@code script} makes. What is typed
   * there is written to its input, and all that it shows is its standard output.
   */
  RunningCommand startInATerminal(String... arguments) {
    List<String> command = new ArrayList<>(List.of("env", "--default-signal=INT"));
    command.addAll(Distribution.command(arguments));
    String line =
        command.stream()
            .map(word -> "'" + word.replace("'", "'\\''") + "'")
            .collect(Collectors.joining(" ", "exec ", ""));
    return RunningCommand.start(
        List.of("script", "-qefc", line, "/dev/null"),
        variables,
        scratch,
        scratch,
        ProcessBuilder.Redirect.PIPE);
  }

  /** Starts a command of Berth that reads a file. */
  RunningCommand startWithInput(Path input, String... arguments) {
    return RunningCommand.start(
        Distribution.command(arguments),
        variables,
        scratch,
        scratch,
        ProcessBuilder.Redirect.from(input.toFile()));
  }

  /** Starts any command with this home. */
  RunningCommand startProgram(List<String> command, Path workingFolder) {
    return RunningCommand.start(command, variables, workingFolder, scratch);
  }

  /** Runs a command of Berth to its end. */
  FinishedCommand berth(String... arguments) {
    return start(arguments).await();
  }

  /** Submits a task without following it. */
  void submit(Path file) {
    berth("apply", "-f", file.toString(), "-y", "-d").expect(0);
  }

  /** The newest run of a name, as {@code ps} shows it. */
  JsonNode run(String name) {
    for (JsonNode run : berth("ps", "-a", "--json").json().get("runs")) {
      if (run.get("name").asString().equals(name)) {
        return run;
      }
    }
    throw new AssertionError("there is no run " + name);
  }

  /** Waits until a run is known to run. What it writes may be seen before that. */
  void awaitRunning(String name) {
    Await.until(
        "a running " + name,
        () -> run(name).get("status").asString().equals("running"),
        () -> run(name).toString());
  }

  /** Kills a run, and waits for its end: a server that ends before it has killed leaves the job. */
  void abort(String name) {
    berth("stop", "-x", name).expect(0);
    awaitEnd(name);
  }

  /** Waits until a run has ended, and returns it. */
  JsonNode awaitEnd(String name) {
    // Following ends with the run.
    berth("logs", "-f", name).expect(0);
    JsonNode run = run(name);
    assertThat(run.get("finished_at").isNull()).as("ended: %s", run).isFalse();
    return run;
  }

  /** What the file of the embedded server says; empty where there is none, or half of one. */
  Optional<JsonNode> embedded() {
    try {
      JsonNode file = MAPPER.readTree(Files.readAllBytes(folder().resolve("embedded.json")));
      return file.has("pid") && file.has("url") ? Optional.of(file) : Optional.empty();
    } catch (IOException | JacksonException e) {
      return Optional.empty();
    }
  }

  long serverPid() {
    return embedded().orElseThrow().get("pid").asLong();
  }

  /** Ends the embedded server as by a power cut. */
  void killServer() {
    long pid = serverPid();
    ProcessTable.signal("KILL", pid);
    Await.until("the end of the server", () -> ProcessTable.hasEnded(pid));
  }

  List<ProcessTable.Entry> processes() {
    return ProcessTable.mentioning(base.toString());
  }

  /** Waits until no process of this home is left, and kills what is. */
  void awaitNothingLeft() {
    try {
      Await.until(
          "the end of all processes of " + base,
          () -> processes().isEmpty(),
          () -> processes().toString());
    } finally {
      processes().forEach(left -> ProcessTable.signal("KILL", left.pid()));
    }
  }

  /** The files of this home that have a word in them. Those that vanish meanwhile have none. */
  List<String> holding(String word) throws IOException {
    return FilesThatAreThere.saying(folder(), List.of(word)).stream()
        .map(file -> folder().relativize(file).toString())
        .toList();
  }

  /** Removes everything, for tests that would fill the disk when repeated. */
  void delete() {
    try (Stream<Path> files = Files.walk(base)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    embedded()
        .map(file -> file.get("pid").asLong())
        .filter(pid -> processes().stream().anyMatch(process -> process.pid() == pid))
        .ifPresent(pid -> ProcessTable.signal("TERM", pid));
    awaitNothingLeft();
  }
}
