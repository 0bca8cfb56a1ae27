package dev.berth.server;

import dev.berth.model.api.FieldChange;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What is different between two configurations in the normalised form. */
final class TreeChanges {
  private final List<FieldChange> found = new ArrayList<>();

  private TreeChanges() {}

  static List<FieldChange> between(
      Map<String, @Nullable Object> before, Map<String, @Nullable Object> after) {
    TreeChanges changes = new TreeChanges();
    changes.compare("", before, after);
    return List.copyOf(changes.found);
  }

  private void compare(String path, @Nullable Object before, @Nullable Object after) {
    if (Objects.equals(before, after)) {
      return;
    }
    if (before instanceof Map<?, ?> one && after instanceof Map<?, ?> other) {
      Map<Object, Boolean> names = new LinkedHashMap<>();
      one.keySet().forEach(name -> names.put(name, true));
      other.keySet().forEach(name -> names.put(name, true));
      names
          .keySet()
          .forEach(
              name ->
                  compare(
                      path.isEmpty() ? String.valueOf(name) : path + "." + name,
                      one.get(name),
                      other.get(name)));
      return;
    }
    found.add(new FieldChange(path, json(before), json(after)));
  }

  private static @Nullable String json(@Nullable Object value) {
    return value == null ? null : ApiJson.MAPPER.writeValueAsString(value);
  }
}
