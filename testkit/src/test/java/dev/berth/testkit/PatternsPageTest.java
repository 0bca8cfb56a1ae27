package dev.berth.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What the page on patterns shows of the awkward cloud's backend stands there. */
class PatternsPageTest {
  private static final Path ROOT =
      Path.of(Objects.requireNonNull(System.getProperty("berth.root")));
  private static final Path SOURCES = ROOT.resolve("testkit/src/test/java/dev/berth/testkit");
  private static final Pattern SNIPPET =
      Pattern.compile("<!-- source: (\\S+) -->\n```java\n(.*?)```\n", Pattern.DOTALL);

  /** A reader of pages that finds nothing would find nothing wrong either. */
  private static final int SNIPPETS = 9;

  @Test
  void everySnippetStandsInItsSource() throws IOException {
    Path page = ROOT.resolve("docs/backends/provider-patterns.md");
    String text = Files.readString(page);
    Matcher snippet = SNIPPET.matcher(text);
    int found = 0;
    while (snippet.find()) {
      Path source = SOURCES.resolve("awkward").resolve(snippet.group(1));
      assertThat(unindented(Files.readString(source)))
          .as("%s, which %s shows", source, page)
          .contains(unindented(snippet.group(2)));
      found++;
    }
    assertThat(found).isGreaterThanOrEqualTo(SNIPPETS);
    assertThat(text.split("```java", -1)).as("blocks with a source").hasSize(found + 1);
  }

  private static String unindented(String code) {
    return code.lines().map(String::strip).collect(Collectors.joining("\n"));
  }
}
