package dev.berth.testkit.checks;

import dev.berth.spi.BackendType;
import dev.berth.spi.config.ConfigSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The settings of a type, out of its JSON Schema. */
final class Settings {
  private static final Pattern SOUNDS_SECRET =
      Pattern.compile("(^|.*[_.])(secret|password|passphrase|token|(api|access|private)_key)");

  private Settings() {}

  /** The paths of all settings with their schema; an entry of a list is {@code []}. */
  static Map<String, Map<?, ?>> of(BackendType<?> type) {
    Map<String, Map<?, ?>> found = new TreeMap<>();
    collect(ConfigSchema.of(type.config()), "", found);
    return found;
  }

  static List<String> undescribed(BackendType<?> type) {
    List<String> silent = new ArrayList<>();
    of(type)
        .forEach(
            (path, schema) -> {
              if (!schema.containsKey("description")
                  && !schema.containsKey("const")
                  && !path.endsWith("[]")
                  && !path.endsWith("*")) {
                silent.add(path);
              }
            });
    return silent;
  }

  /** Settings whose name says that they are secret, and which are read as plain text. */
  static List<String> openSecrets(BackendType<?> type) {
    List<String> open = new ArrayList<>();
    of(type)
        .forEach(
            (path, schema) -> {
              if (SOUNDS_SECRET.matcher(path.toLowerCase(Locale.ROOT)).matches()
                  && "string".equals(schema.get("type"))
                  && !Boolean.TRUE.equals(schema.get("writeOnly"))) {
                open.add(path);
              }
            });
    return open;
  }

  /** Whether a path such as {@code regions[1]} is one of a setting. */
  static boolean knows(BackendType<?> type, String path) {
    Set<String> known = of(type).keySet();
    return path.isEmpty() || known.contains(path.replaceAll("\\[[0-9]+]", "[]"));
  }

  private static void collect(Map<?, ?> schema, String path, Map<String, Map<?, ?>> found) {
    if (!path.isEmpty()) {
      found.putIfAbsent(path, schema);
    }
    if (schema.get("properties") instanceof Map<?, ?> properties) {
      properties.forEach(
          (name, property) -> {
            if (property instanceof Map<?, ?> part) {
              collect(part, path.isEmpty() ? name.toString() : path + "." + name, found);
            }
          });
    }
    if (schema.get("items") instanceof Map<?, ?> item) {
      collect(item, path + "[]", found);
    }
    if (schema.get("additionalProperties") instanceof Map<?, ?> entry) {
      collect(entry, path + ".*", found);
    }
    if (schema.get("oneOf") instanceof List<?> choices) {
      for (Object choice : choices) {
        if (choice instanceof Map<?, ?> part) {
          collect(part, path, found);
        }
      }
    }
  }
}
