package dev.berth.grammar;

import dev.berth.model.config.EnvironmentVariable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Mappings whose keys the user chooses: environment variables, tags, and bodies that only a backend
 * understands.
 */
final class Maps {
  /**
   * {@code KEY=value} and {@code KEY} items, or a mapping. A key without a value is taken from the
   * client's environment.
   */
  static final Shape<List<EnvironmentVariable>> ENVIRONMENT = new EnvironmentShape();

  static final Shape<Map<String, String>> TAGS = new TagsShape();

  /** Any tree, kept as it is for the backend that judges it. */
  static final Shape<Map<String, Object>> TREE = new TreeShape();

  private Maps() {}

  private static final class EnvironmentShape implements Shape<List<EnvironmentVariable>> {
    private static final Pattern ITEM = Pattern.compile("(?s)([a-zA-Z_][a-zA-Z0-9_]*)(=.*)?");

    @Override
    public @Nullable List<EnvironmentVariable> read(Node node, Reading reading) {
      Map<String, EnvironmentVariable> variables = new LinkedHashMap<>();
      int errorsBefore = reading.errorCount();
      switch (node) {
        case Node.Sequence sequence -> {
          int index = 0;
          for (Node item : sequence.items()) {
            readItem(item, reading.item(index++), variables);
          }
        }
        case Node.Mapping mapping ->
            mapping
                .entries()
                .forEach((name, entry) -> readEntry(name, entry, reading.field(name), variables));
        case Node.Scalar _ ->
            reading.error(
                Rule.EXPECTED_LIST,
                node,
                "expected a list of KEY=value or a mapping, found " + node.kindName());
      }
      return reading.errorCount() == errorsBefore ? List.copyOf(variables.values()) : null;
    }

    private static void readItem(
        Node item, Reading reading, Map<String, EnvironmentVariable> variables) {
      if (!(item instanceof Node.Scalar scalar)
          || item.isAbsent()
          || !ITEM.matcher(scalar.text()).matches()) {
        reading.error(
            Rule.ENVIRONMENT_SYNTAX, item, "expected KEY=value or KEY, found " + item.kindName());
        return;
      }
      int equals = scalar.text().indexOf('=');
      String name = equals < 0 ? scalar.text() : scalar.text().substring(0, equals);
      put(
          new EnvironmentVariable(name, equals < 0 ? null : scalar.text().substring(equals + 1)),
          item,
          reading,
          variables);
    }

    private static void readEntry(
        String name,
        Node.Mapping.Entry entry,
        Reading reading,
        Map<String, EnvironmentVariable> variables) {
      if (name.isEmpty() || name.contains("=") || name.indexOf('\0') >= 0) {
        reading.error(
            Rule.ENVIRONMENT_SYNTAX,
            entry.keyPosition(),
            "'" + Text.abbreviate(name) + "' is not the name of an environment variable");
        return;
      }
      if (entry.value().isAbsent()) {
        variables.put(name, new EnvironmentVariable(name, null));
        return;
      }
      String value = Scalars.scalarText(entry.value(), reading, Rule.EXPECTED_TEXT, "text");
      if (value != null) {
        variables.put(name, new EnvironmentVariable(name, value));
      }
    }

    private static void put(
        EnvironmentVariable variable,
        Node item,
        Reading reading,
        Map<String, EnvironmentVariable> variables) {
      if (variables.putIfAbsent(variable.name(), variable) != null) {
        reading.error(
            Rule.ENVIRONMENT_DUPLICATE,
            item,
            "the variable '" + variable.name() + "' is set twice; keep one");
      }
    }

    @Override
    public Object write(List<EnvironmentVariable> value) {
      Map<String, @Nullable Object> written = new LinkedHashMap<>();
      value.forEach(variable -> written.put(variable.name(), variable.value()));
      return written;
    }

    @Override
    public Map<String, Object> schema(SchemaBuilder schemas) {
      Map<String, Object> items =
          Map.of(
              "type",
              "array",
              "uniqueItems",
              true,
              "items",
              SchemaBuilder.text("^[a-zA-Z_][a-zA-Z0-9_]*(=[\\s\\S]*)?$"));
      Map<String, Object> mapping =
          Map.of(
              "type",
              "object",
              "propertyNames",
              Map.of("pattern", "^[^=\\u0000]+$"),
              "additionalProperties",
              Map.of("type", List.of("string", "number", "boolean", "null")));
      return SchemaBuilder.anyOf(List.of(items, mapping));
    }
  }

  private static final class TagsShape implements Shape<Map<String, String>> {
    private static final Pattern KEY = Pattern.compile("[_\\-a-zA-Z0-9]{1,60}");
    private static final Pattern VALUE = Pattern.compile("[a-zA-Z0-9 .:/=_\\-+@]{0,256}");

    @Override
    public @Nullable Map<String, String> read(Node node, Reading reading) {
      if (!(node instanceof Node.Mapping mapping)) {
        reading.error(
            Rule.EXPECTED_MAPPING, node, "expected a mapping of tags, found " + node.kindName());
        return null;
      }
      int errorsBefore = reading.errorCount();
      Map<String, String> tags = new LinkedHashMap<>();
      mapping
          .entries()
          .forEach(
              (name, entry) -> {
                Reading at = reading.field(name);
                if (!KEY.matcher(name).matches()) {
                  at.error(
                      Rule.TAG_KEY,
                      entry.keyPosition(),
                      "a tag's name has 1 to 60 letters, digits, dashes and underscores");
                  return;
                }
                String value =
                    entry.value().isAbsent()
                        ? null
                        : Scalars.scalarText(entry.value(), at, Rule.TAG_VALUE, "the tag's value");
                if (value != null && VALUE.matcher(value).matches()) {
                  tags.put(name, value);
                } else if (value != null || entry.value().isAbsent()) {
                  at.error(
                      Rule.TAG_VALUE,
                      entry.value(),
                      "a tag's value has at most 256 letters, digits, spaces and .:/=_-+@, found "
                          + entry.value().kindName());
                }
              });
      return reading.errorCount() == errorsBefore ? Collections.unmodifiableMap(tags) : null;
    }

    @Override
    public Object write(Map<String, String> value) {
      return new LinkedHashMap<>(value);
    }

    @Override
    public Map<String, Object> schema(SchemaBuilder schemas) {
      return Map.of(
          "type",
          "object",
          "propertyNames",
          Map.of("pattern", "^" + KEY + "$"),
          "additionalProperties",
          Map.of("type", List.of("string", "number", "boolean"), "pattern", "^" + VALUE + "$"));
    }
  }

  private static final class TreeShape implements Shape<Map<String, Object>> {
    @Override
    public @Nullable Map<String, Object> read(Node node, Reading reading) {
      if (!(node instanceof Node.Mapping mapping)) {
        reading.error(Rule.EXPECTED_MAPPING, node, "expected a mapping, found " + node.kindName());
        return null;
      }
      return plain(mapping);
    }

    @Override
    public Object write(Map<String, Object> value) {
      return value;
    }

    @Override
    public Map<String, Object> schema(SchemaBuilder schemas) {
      return Map.of("type", "object");
    }
  }

  static Map<String, Object> plain(Node.Mapping mapping) {
    Map<String, Object> tree = new LinkedHashMap<>();
    mapping
        .entries()
        .forEach(
            (name, entry) -> {
              // A key without a value says nothing that leaving it out would not say.
              if (!entry.value().isAbsent()) {
                tree.put(name, plain(entry.value()));
              }
            });
    return Collections.unmodifiableMap(tree);
  }

  private static Object plain(Node node) {
    return switch (node) {
      case Node.Mapping mapping -> plain(mapping);
      case Node.Sequence sequence -> {
        List<Object> items = new ArrayList<>();
        sequence.items().forEach(item -> items.add(plain(item)));
        yield Collections.unmodifiableList(items);
      }
      case Node.Scalar scalar -> plain(scalar);
    };
  }

  /** What YAML 1.2 takes an unquoted word for. */
  private static Object plain(Node.Scalar scalar) {
    String text = scalar.text();
    if (!scalar.plain()) {
      return text;
    }
    if (text.matches("true|True|TRUE|false|False|FALSE")) {
      return Boolean.valueOf(text);
    }
    if (text.matches("[-+]?(0|[1-9][0-9]{0,17})")) {
      return Long.valueOf(text);
    }
    if (text.matches("[-+]?(0|[1-9][0-9]{0,40})\\.[0-9]{1,40}([eE][-+]?[0-9]{1,3})?")) {
      double number = Double.parseDouble(text);
      return Double.isFinite(number) ? number : text;
    }
    return text;
  }
}
