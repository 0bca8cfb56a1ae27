package dev.berth.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Hides literal secrets of a configuration before it is printed. References to secrets are shown:
 * they say only where the secret is.
 */
final class SecretMask {
  /** Backends name their settings as they like, so a word in the name is enough. */
  private static final List<String> SECRET_WORDS =
      List.of(
          "password",
          "secret",
          "token",
          "creds",
          "credential",
          "private_key",
          "api_key",
          "access_key");

  private static final String HIDDEN = "***";

  /** Such as in postgresql://user:password@host. */
  private static final Pattern PASSWORD_IN_ADDRESS =
      Pattern.compile("^([a-z][a-z0-9+.:-]*://[^/@:]*:)[^/@]+(@)");

  private SecretMask() {}

  static Map<String, @Nullable Object> masked(Map<String, @Nullable Object> tree) {
    Map<String, @Nullable Object> result = new LinkedHashMap<>();
    tree.forEach((name, value) -> result.put(name, isSecret(name) ? hidden(value) : visit(value)));
    return result;
  }

  private static boolean isSecret(String name) {
    String folded = name.toLowerCase(Locale.ROOT).replace('-', '_');
    return SECRET_WORDS.stream().anyMatch(folded::contains);
  }

  private static @Nullable Object visit(@Nullable Object value) {
    return switch (value) {
      case Map<?, ?> map -> masked(cast(map));
      case List<?> list -> list.stream().map(SecretMask::visit).toList();
      case String text -> PASSWORD_IN_ADDRESS.matcher(text).replaceFirst("$1***$2");
      case null, default -> value;
    };
  }

  private static @Nullable Object hidden(@Nullable Object value) {
    return switch (value) {
      case null -> null;
      case Boolean flag -> flag;
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
