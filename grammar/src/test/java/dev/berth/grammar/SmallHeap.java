package dev.berth.grammar;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A Java process of its own with the heap that hostile files must do with. */
final class SmallHeap {
  private static final String HEAP = "-Xmx256m";

  /** How the process ended and what it said. */
  record Result(int exitCode, String output) {
    /** The end of the output, where failures are told. */
    String tail() {
      return output.substring(Math.max(0, output.length() - 6_000));
    }
  }

  private SmallHeap() {}

  static Result run(Path folder, Class<?> main, List<String> arguments)
      throws IOException, InterruptedException {
    return run(folder, main.getName(), arguments);
  }

  static Result run(Path folder, String main, List<String> arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            HEAP,
            "-XX:+UseSerialGC",
            "-XX:+EnableDynamicAgentLoading",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            classPath(),
            main));
    command.addAll(arguments);
    Process process =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Result(process.waitFor(), output);
  }

  /** Surefire hides the class path behind a jar of its own. */
  private static String classPath() {
    return System.getProperty(
        "surefire.test.class.path", System.getProperty("java.class.path", ""));
  }
}
