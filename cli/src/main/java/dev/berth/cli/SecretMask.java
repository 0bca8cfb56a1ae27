package dev.berth.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Hides literal secrets of a configuration before it is printed. References to secrets are shown:
 * they say only where the secret is.
 */
final class SecretMask {
  private static final Set<String> SECRET_NAMES =
      Set.of("password", "secret", "creds", "private_key", "api_key");
  private static final String HIDDEN = "***";

  private SecretMask() {}

  static Map<String, @Nullable Object> masked(Map<String, @Nullable Object> tree) {
    Map<String, @Nullable Object> result = new LinkedHashMap<>();
    tree.forEach(
        (name, value) ->
            result.put(name, SECRET_NAMES.contains(name) ? hidden(value) : visit(value)));
    return result;
  }

  private static @Nullable Object visit(@Nullable Object value) {
    return switch (value) {
      case Map<?, ?> map -> masked(cast(map));
      case List<?> list -> list.stream().map(SecretMask::visit).toList();
      case null, default -> value;
    };
  }

  private static @Nullable Object hidden(@Nullable Object value) {
    return switch (value) {
      case null -> null;
      case Map<?, ?> map -> {
        Map<String, @Nullable Object> result = new LinkedHashMap<>();
        cast(map)
            .forEach((name, item) -> result.put(name, name.equals("type") ? item : hidden(item)));
        yield result;
      }
      case String text when text.contains("${{") -> text;
      default -> HIDDEN;
    };
  }

  @SuppressWarnings("unchecked")
  private static Map<String, @Nullable Object> cast(Map<?, ?> map) {
    return (Map<String, @Nullable Object>) map;
  }
}
