package dev.berth.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Asks another JVM about itself, with the tool of the JDK. */
final class JvmTool {
  private JvmTool() {}

  /** What the tool says to a command. */
  static String ask(long pid, String... command) throws IOException, InterruptedException {
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString());
    words.add(Long.toString(pid));
    words.addAll(List.of(command));
    Process tool = new ProcessBuilder(words).redirectErrorStream(true).start();
    String said = new String(tool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int code = tool.waitFor();
    if (code != 0) {
      throw new IOException(String.join(" ", words) + " ended with " + code + ": " + said.strip());
    }
    return said;
  }

  /** The objects of a JVM that are in use; those that are not are cleared away for this. */
  static double liveMegabytes(long pid) throws IOException, InterruptedException {
    return totalMegabytes(ask(pid, "GC.class_histogram"));
  }

  static double totalMegabytes(String histogram) throws IOException {
    String line =
        histogram
            .lines()
            .filter(found -> found.startsWith("Total"))
            .findFirst()
            .orElseThrow(() -> new IOException("the JVM does not tell its objects"));
    return Long.parseLong(line.strip().split("\\s+")[2]) / 1e6;
  }
}
