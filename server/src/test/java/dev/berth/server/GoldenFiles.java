package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.assertj.core.util.diff.DiffUtils;
import tools.jackson.core.PrettyPrinter;
import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The golden files of the API: what is asked and answered, as it shall stay. */
final class GoldenFiles {
  private static final Path FOLDER = Path.of("src", "test", "resources", "golden");
  private static final String WRITE = "berth.golden.write";
  private static final int CONTEXT_LINES = 3;

  private static final JsonMapper MAPPER = JsonMapper.shared();

  /** Each item on a line of its own, so that differences are short. */
  private static final PrettyPrinter PRINTER =
      new DefaultPrettyPrinter().withArrayIndenter(DefaultIndenter.SYSTEM_LINEFEED_INSTANCE);

  private GoldenFiles() {}

  /** How a file with this content reads. */
  static String text(Object content) {
    return MAPPER.writer().with(PRINTER).writeValueAsString(content) + "\n";
  }

  /**
   * Compares all files with what they should be, or writes them where that is asked for.
   *
   * @param wanted texts by the names of files
   */
  static void require(SortedMap<String, String> wanted) {
    try {
      if (Boolean.getBoolean(WRITE)) {
        write(wanted);
      }
      assertThat(differences(wanted, kept()))
          .as(
              "the API answers differently from its golden files in server/%s; where that is"
                  + " wanted, write them again with -D%s=true, read the difference, and commit it",
              FOLDER, WRITE)
          .isEmpty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void write(Map<String, String> wanted) throws IOException {
    Files.createDirectories(FOLDER);
    for (String name : kept().keySet()) {
      if (!wanted.containsKey(name)) {
        Files.delete(FOLDER.resolve(name));
      }
    }
    for (Map.Entry<String, String> file : wanted.entrySet()) {
      Files.writeString(FOLDER.resolve(file.getKey()), file.getValue());
    }
  }

  private static SortedMap<String, String> kept() throws IOException {
    SortedMap<String, String> kept = new TreeMap<>();
    if (Files.isDirectory(FOLDER)) {
      try (Stream<Path> files = Files.list(FOLDER)) {
        for (Path file : files.toList()) {
          kept.put(file.getFileName().toString(), Files.readString(file));
        }
      }
    }
    return kept;
  }

  /** What is missing, too much or different, each as a person reads it. */
  static List<String> differences(
      SortedMap<String, String> wanted, SortedMap<String, String> kept) {
    List<String> found = new ArrayList<>();
    wanted.forEach(
        (name, text) -> {
          String before = kept.get(name);
          if (before == null) {
            found.add(name + " is missing: a route has no golden file");
          } else if (!before.equals(text)) {
            found.add(difference(name, before.lines().toList(), text.lines().toList()));
          }
        });
    kept.keySet().stream()
        .filter(name -> !wanted.containsKey(name))
        .forEach(name -> found.add(name + " is too much: there is no such route"));
    return found;
  }

  private static String difference(String name, List<String> before, List<String> now) {
    return String.join(
        "\n",
        DiffUtils.generateUnifiedDiff(
            name, name + " (now)", before, DiffUtils.diff(before, now), CONTEXT_LINES));
  }

  static JsonNode parse(byte[] json) {
    return MAPPER.readTree(json);
  }
}
