package dev.berth.spi.config;

import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A setting as its record declares it. */
record Component(RecordComponent declared, String name, @Nullable Setting setting) {
  static List<Component> of(Class<?> type) {
    List<Component> found = new ArrayList<>();
    for (RecordComponent component : type.getRecordComponents()) {
      Setting setting = component.getAnnotation(Setting.class);
      found.add(
          new Component(
              component,
              setting == null || setting.name().isEmpty()
                  ? snake(component.getName())
                  : setting.name(),
              setting));
    }
    return found;
  }

  /** The word that chooses one of a sealed interface's records. */
  static String word(Class<?> type) {
    Setting setting = type.getAnnotation(Setting.class);
    return setting == null || setting.name().isEmpty()
        ? snake(type.getSimpleName())
        : setting.name();
  }

  Class<?> type() {
    return declared.getType();
  }

  Type genericType() {
    return declared.getGenericType();
  }

  String fallback() {
    return setting == null ? "" : setting.fallback();
  }

  long least() {
    return setting == null ? Long.MIN_VALUE : setting.least();
  }

  String doc() {
    return setting == null ? "" : setting.value();
  }

  String example() {
    return setting == null ? "" : setting.example();
  }

  boolean isOptional() {
    return !fallback().isEmpty()
        || declared.getAnnotatedType().isAnnotationPresent(Nullable.class)
        || List.class.isAssignableFrom(type())
        || Map.class.isAssignableFrom(type());
  }

  private static String snake(String name) {
    return name.replaceAll("(?<=[a-z0-9])([A-Z])", "_$1").toLowerCase(Locale.ROOT);
  }
}
