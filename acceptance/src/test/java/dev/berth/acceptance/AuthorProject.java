package dev.berth.acceptance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The project of a backend, edited as its author would. */
record AuthorProject(Path folder) {
  void write(String path, String text) {
    try {
      Files.writeString(folder.resolve(path), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Puts a method in the place of the one of that name.
   *
   * @param text imports, then the method and whatever else comes with it
   */
  void replaceMethod(String path, String name, String text) {
    List<String> file = new ArrayList<>(lines(folder.resolve(path)));
    List<String> added = text.lines().filter(line -> line.startsWith("import ")).toList();
    List<String> body =
        text.lines()
            .filter(line -> !line.startsWith("import "))
            .dropWhile(String::isBlank)
            .toList();
    int start = find(file, 0, "  public .*\\b" + name + "\\(.*", path);
    int end = find(file, start, "  }", path);
    List<String> method = file.subList(start - 1, end + 1);
    if (!method.getFirst().equals("  @Override")) {
      throw new AssertionError(path + ": " + name + " should be a method of the contract");
    }
    method.clear();
    method.addAll(body);
    int imports = find(file, 0, "import .*", path);
    file.addAll(imports, added);
    write(path, String.join("\n", file) + "\n");
  }

  private static int find(List<String> lines, int from, String pattern, String path) {
    for (int i = from; i < lines.size(); i++) {
      if (lines.get(i).matches(pattern)) {
        return i;
      }
    }
    throw new AssertionError(path + " has no line like " + pattern);
  }

  /** Lines of the backend itself that are neither blank nor comments, imports or the package. */
  long linesOfCode() {
    try (Stream<Path> files = Files.walk(folder.resolve("src/main/java"))) {
      return files
          .filter(Files::isRegularFile)
          .flatMap(file -> lines(file).stream())
          .map(String::strip)
          .filter(line -> !line.matches("|(//|/\\*|\\*|import |package ).*"))
          .count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
