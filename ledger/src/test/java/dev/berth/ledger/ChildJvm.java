package dev.berth.ledger;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A process that runs one of the test programs; it never outlives its owner. */
final class ChildJvm implements AutoCloseable {
  private final Process process;
  private final BufferedReader output;

  private ChildJvm(Process process) {
    this.process = process;
    this.output = process.inputReader(StandardCharsets.UTF_8);
  }

  static ChildJvm start(Path folder, Class<?> program, String... arguments) throws IOException {
    return start(folder, "exec \"$@\"", program, arguments);
  }

  /** Starts the program below a shell script that ends in {@code exec "$@"}. */
  static ChildJvm start(Path folder, String script, Class<?> program, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", script, "sh"));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx128m");
    command.add("-XX:+UseSerialGC");
    command.add("-XX:TieredStopAtLevel=1");
    command.add("--enable-native-access=ALL-UNNAMED");
    // A killed driver leaves its unpacked library behind; here it goes with the test's folder.
    command.add("-Djava.io.tmpdir=" + folder);
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(program.getName());
    command.addAll(List.of(arguments));
    return new ChildJvm(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  long pid() {
    return process.pid();
  }

  /** The next whole line; empty when the program has ended. */
  Optional<String> line() throws IOException {
    return Optional.ofNullable(output.readLine());
  }

  /** Kills the program as the system would, and returns what it had still written. */
  List<String> kill() throws IOException {
    // Through the handle, because Process.destroyForcibly also closes the output.
    process.toHandle().destroyForcibly();
    List<String> rest = new ArrayList<>();
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      rest.add(line);
    }
    process.onExit().join();
    return rest;
  }

  @Override
  public void close() throws IOException {
    kill();
    output.close();
  }
}
