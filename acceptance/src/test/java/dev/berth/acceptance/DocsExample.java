package dev.berth.acceptance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A configuration in the documentation that a comment marks as checked.
 *
 * @param place the page and the line of the mark
 * @param kind what a valid one is said to be; empty for an invalid one
 * @param expected the normalised form of a valid one, where the page shows it; what {@code
 *     validate} writes about an invalid one
 */
record DocsExample(String place, Optional<String> kind, String yaml, Optional<String> expected) {
  private static final Pattern MARK = Pattern.compile("<!-- example: (invalid|valid (\\S+)) -->");
  private static final String NORMALISED = "<!-- normalised -->";

  /** A page whose snippets of source are compared by {@code PatternsPageTest}. */
  private static final String WITH_SOURCES = "docs/backends/provider-patterns.md";

  @Override
  public String toString() {
    return place;
  }

  /** All of them, on all pages. */
  static List<DocsExample> find(Path root) {
    List<DocsExample> found = new ArrayList<>();
    try (Stream<Path> docs = Files.walk(root.resolve("docs"))) {
      List<Path> pages =
          Stream.concat(Stream.of(root.resolve("README.md")), docs.sorted())
              .filter(page -> page.toString().endsWith(".md"))
              .toList();
      for (Path page : pages) {
        found.addAll(
            new Page(root.relativize(page).toString(), Files.readAllLines(page)).examples());
      }
    } catch (IOException e) {
      throw new AssertionError("the documentation cannot be read", e);
    }
    return found;
  }

  private static final class Page {
    private final String name;
    private final List<String> lines;
    private int next;

    Page(String name, List<String> lines) {
      this.name = name;
      this.lines = lines;
    }

    List<DocsExample> examples() {
      List<DocsExample> found = new ArrayList<>();
      while (next < lines.size()) {
        String line = lines.get(next++);
        Matcher mark = MARK.matcher(line);
        if (mark.matches()) {
          found.add(example(Optional.ofNullable(mark.group(2))));
        } else if (line.startsWith("<!--")
            && !Guide.isMark(line)
            && !line.startsWith(Tutorial.MARK)
            && !(name.equals(WITH_SOURCES) && line.startsWith("<!-- source: "))) {
          throw new AssertionError(
              name + ":" + next + ": a mark that means nothing, or stands at the wrong place");
        }
      }
      return found;
    }

    private DocsExample example(Optional<String> kind) {
      String place = name + ":" + next;
      String yaml = block("yaml");
      if (kind.isEmpty()) {
        return new DocsExample(place, kind, yaml, Optional.of(block("text")));
      }
      int after = next;
      skipBlankLines();
      if (next < lines.size() && lines.get(next).equals(NORMALISED)) {
        next++;
        return new DocsExample(place, kind, yaml, Optional.of(block("json")));
      }
      next = after;
      return new DocsExample(place, kind, yaml, Optional.empty());
    }

    /** The fenced block that must come now. */
    private String block(String language) {
      skipBlankLines();
      if (next >= lines.size() || !lines.get(next).equals("```" + language)) {
        throw new AssertionError(name + ":" + (next + 1) + ": expected a block of " + language);
      }
      next++;
      StringBuilder text = new StringBuilder();
      while (!lines.get(next).equals("```")) {
        text.append(lines.get(next++)).append('\n');
      }
      next++;
      return text.toString();
    }

    private void skipBlankLines() {
      while (next < lines.size() && lines.get(next).isBlank()) {
        next++;
      }
    }
  }
}
