package dev.berth.spi.config;

import dev.berth.spi.BackendType;
import dev.berth.spi.Trait;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The documentation page of a backend type: what its author wrote in the resource {@code
 * META-INF/berth/NAME.md} of its jar, and all that follows from its declarations.
 */
public final class ConfigPage {
  private ConfigPage() {}

  public static String of(BackendType<?> type) {
    StringBuilder page = new StringBuilder();
    page.append("# ").append(type.name()).append("\n\n").append(type.summary()).append("\n");
    String written = written(type);
    if (!written.isBlank()) {
      page.append("\n").append(written.strip()).append("\n");
    }
    page.append("\n## Settings\n\n");
    table(page, type.config(), "");
    page.append("\n## What it can do\n\n");
    for (Trait trait : Trait.values()) {
      page.append("- ")
          .append(trait.words())
          .append(type.traits().has(trait) ? ": yes" : ": no")
          .append("\n");
    }
    return page.toString();
  }

  private static String written(BackendType<?> type) {
    String resource = "/META-INF/berth/" + type.name() + ".md";
    try (InputStream in = type.getClass().getResourceAsStream(resource)) {
      return in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void table(StringBuilder page, Class<?> type, String prefix) {
    if (prefix.isEmpty()) {
      if (type.getRecordComponents().length == 0) {
        page.append("There are none.\n");
        return;
      }
      page.append("| setting | value | |\n|---|---|---|\n");
    }
    for (Component component : Component.of(type)) {
      String path = prefix + component.name();
      row(page, path, component);
      nested(page, component.genericType(), path);
    }
  }

  private static void row(StringBuilder page, String path, Component component) {
    String need =
        !component.fallback().isEmpty()
            ? "default " + component.fallback()
            : component.isOptional() ? "optional" : "required";
    String example =
        component.example().isEmpty() ? "" : " Example: `" + component.example() + "`.";
    page.append("| `")
        .append(path)
        .append("` | ")
        .append(words(component.genericType()))
        .append(", ")
        .append(need)
        .append(" | ")
        .append(component.doc())
        .append(example)
        .append(" |\n");
  }

  private static void nested(StringBuilder page, Type type, String path) {
    if (type instanceof ParameterizedType generic) {
      boolean list = generic.getRawType() == LIST;
      nested(
          page,
          generic.getActualTypeArguments()[generic.getActualTypeArguments().length - 1],
          path + (list ? "[]" : ".*"));
    } else if (type instanceof Class<?> plain && plain.isSealed() && plain.isInterface()) {
      for (Class<?> choice : plain.getPermittedSubclasses()) {
        Setting setting = choice.getAnnotation(Setting.class);
        page.append("| `")
            .append(path)
            .append(".type` | `")
            .append(Component.word(choice))
            .append("` | ")
            .append(setting == null ? "" : setting.value())
            .append(" |\n");
        table(page, choice, path + ".");
      }
    } else if (type instanceof Class<?> plain && plain.isRecord() && !Scalar.isScalar(plain)) {
      table(page, plain, path + ".");
    }
  }

  private static final Class<?> LIST = List.class;

  private static String words(Type type) {
    if (type instanceof ParameterizedType generic) {
      Type last = generic.getActualTypeArguments()[generic.getActualTypeArguments().length - 1];
      return (generic.getRawType() == LIST ? "list of " : "map to ") + words(last);
    }
    Class<?> plain = (Class<?>) type;
    if (plain.isEnum()) {
      return Arrays.stream(plain.getEnumConstants())
          .map(constant -> "`" + Scalar.word(constant) + "`")
          .collect(Collectors.joining(" or "));
    }
    if (!Scalar.isScalar(plain)) {
      return "section";
    }
    return switch (plain.getSimpleName().toLowerCase(Locale.ROOT)) {
      case "string" -> "text";
      case "secret" -> "secret text";
      case "boolean" -> "true or false";
      case "int", "integer", "long" -> "whole number";
      case "double" -> "number";
      case "duration" -> "time such as `90s`";
      default -> "size such as `16GB`";
    };
  }
}
