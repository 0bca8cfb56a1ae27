package dev.berth.cli;

import dev.berth.grammar.Node;
import dev.berth.grammar.Position;
import dev.berth.grammar.SyntaxException;
import dev.berth.grammar.YamlReader;
import dev.berth.model.api.FieldProblem;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A backend's settings as they stand in a file, with the places of what is wrong. */
final class SettingsFile {
  private final @Nullable Path path;
  private final Node root;

  private SettingsFile(@Nullable Path path, Node root) {
    this.path = path;
    this.root = root;
  }

  /** Settings without a file: none. */
  static SettingsFile empty() {
    return new SettingsFile(null, Node.ofPlain(Map.of()));
  }

  /** Whether there is no file. */
  boolean isEmpty() {
    return path == null;
  }

  static SettingsFile read(Path path) {
    try {
      byte[] bytes = RunFile.bytes(path);
      if (new String(bytes, StandardCharsets.UTF_8).isBlank()) {
        return new SettingsFile(path, Node.ofPlain(Map.of()));
      }
      YamlReader.Document document = YamlReader.read(bytes);
      List<String> wrong =
          document.problems().stream().map(problem -> problem.format(path.toString())).toList();
      if (!wrong.isEmpty()) {
        throw new CommandFailure(ExitCode.INVALID_FILE, String.join("\n", wrong));
      }
      if (!(document.root() instanceof Node.Mapping) && !document.root().isAbsent()) {
        throw new CommandFailure(
            ExitCode.INVALID_FILE, path + ": expected a mapping of settings to values");
      }
      return new SettingsFile(path, document.root());
    } catch (SyntaxException e) {
      throw new CommandFailure(ExitCode.INVALID_FILE, e.problem().format(path.toString()));
    }
  }

  /** The settings; the type, which chooses who reads them, is not one of them. */
  Map<String, @Nullable Object> settings() {
    Map<String, @Nullable Object> settings = new LinkedHashMap<>();
    if (plain(root) instanceof Map<?, ?> tree) {
      tree.forEach((key, value) -> settings.put(String.valueOf(key), value));
    }
    settings.remove("type");
    return settings;
  }

  @Nullable String type() {
    return plain(root) instanceof Map<?, ?> tree && tree.get("type") instanceof String type
        ? type
        : null;
  }

  private static @Nullable Object plain(Node node) {
    return switch (node) {
      case Node.Scalar scalar -> scalar.isNull() ? null : scalar.text();
      case Node.Sequence sequence -> {
        List<@Nullable Object> items = new ArrayList<>();
        sequence.items().forEach(item -> items.add(plain(item)));
        yield items;
      }
      case Node.Mapping mapping -> {
        Map<String, @Nullable Object> entries = new LinkedHashMap<>();
        mapping.entries().forEach((key, entry) -> entries.put(key, plain(entry.value())));
        yield entries;
      }
    };
  }

  /** What the server says is wrong, each with its place in the file. */
  String explain(List<FieldProblem> problems) {
    List<String> lines = new ArrayList<>();
    for (FieldProblem problem : problems) {
      String field = problem.path().replaceFirst("^config\\.?", "");
      String sentence = (field.isEmpty() ? "" : "'" + field + "' ") + problem.message();
      Position place = find(field);
      lines.add(
          path == null
              ? sentence
              : path + ":" + place.line() + ":" + place.column() + ": " + sentence);
    }
    return String.join("\n", lines);
  }

  /** Where a field stands, or the nearest part of it that is there. */
  private Position find(String field) {
    Node node = root;
    Position position = root.position();
    for (String part : field.replace("[", ".[").split("\\.")) {
      Node next = null;
      if (node instanceof Node.Mapping mapping && mapping.entries().get(part) != null) {
        Node.Mapping.Entry entry = Objects.requireNonNull(mapping.entries().get(part));
        position = entry.keyPosition();
        next = entry.value();
      } else if (node instanceof Node.Sequence sequence && part.matches("\\[\\d{1,6}]")) {
        int index = Integer.parseInt(part.substring(1, part.length() - 1));
        next = index < sequence.items().size() ? sequence.items().get(index) : null;
        position = next == null ? position : next.position();
      }
      if (next == null) {
        return position;
      }
      node = next;
    }
    return position;
  }
}
