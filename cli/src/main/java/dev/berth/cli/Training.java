package dev.berth.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The run that the launcher makes the AOT cache from: it goes through the commands that people wait
 * for.
 */
final class Training {
  private Training() {}

  public static void main(String[] arguments) throws IOException {
    List<String> validate = new ArrayList<>(List.of("validate", "--json", "-f"));
    try (Stream<Path> examples = Files.list(Path.of(arguments[0]))) {
      examples
          .filter(file -> file.toString().endsWith(".yml"))
          .sorted()
          .map(Path::toString)
          .forEach(validate::add);
    }
    PrintWriter ignored = new PrintWriter(new StringWriter());
    int failures = 0;
    for (int round = 0; round < 3; round++) {
      failures += Berth.run(ignored, ignored, validate.toArray(String[]::new));
      failures += Berth.run(ignored, ignored, "schema", "task");
      failures += Berth.run(ignored, ignored, "--help");
      failures += Berth.run(ignored, ignored, "--version");
    }
    if (failures > 0) {
      throw new IllegalStateException("a training command failed");
    }
  }
}
