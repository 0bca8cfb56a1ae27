package dev.berth.spi.config;

import dev.berth.model.Secret;
import dev.berth.model.config.Size;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A configuration as it can be shown: every setting with its value, secrets hidden. */
public final class ConfigTree {
  private ConfigTree() {}

  public static Map<String, Object> redacted(Record config) {
    return record(config);
  }

  private static Map<String, Object> record(Record value) {
    Map<String, Object> tree = new LinkedHashMap<>();
    if (isChosen(value.getClass())) {
      tree.put(ConfigReader.DISCRIMINATOR, Component.word(value.getClass()));
    }
    for (Component component : Component.of(value.getClass())) {
      Object part = part(component.declared().getAccessor(), value);
      if (part != null) {
        tree.put(component.name(), shown(part));
      }
    }
    return tree;
  }

  /** All secrets of a configuration, wherever they stand. */
  public static List<Secret> secrets(Record config) {
    List<Secret> found = new ArrayList<>();
    collect(config, found);
    return List.copyOf(found);
  }

  private static void collect(@Nullable Object value, List<Secret> found) {
    switch (value) {
      case Secret secret -> found.add(secret);
      case Record record -> {
        for (Component component : Component.of(record.getClass())) {
          collect(part(component.declared().getAccessor(), record), found);
        }
      }
      case List<?> list -> list.forEach(item -> collect(item, found));
      case Map<?, ?> map -> map.values().forEach(item -> collect(item, found));
      case null, default -> {}
    }
  }

  private static boolean isChosen(Class<?> type) {
    for (Class<?> parent : type.getInterfaces()) {
      if (parent.isSealed()) {
        return true;
      }
    }
    return false;
  }

  private static Object shown(Object value) {
    return switch (value) {
      case Secret secret -> secret.toString();
      case Size size -> size.mib() + "MB";
      case Duration duration -> words(duration);
      case Record record -> record(record);
      case List<?> list -> list.stream().map(ConfigTree::shown).toList();
      case Map<?, ?> map -> {
        Map<String, Object> shown = new LinkedHashMap<>();
        map.forEach((key, entry) -> shown.put(String.valueOf(key), shown(entry)));
        yield shown;
      }
      case Enum<?> constant -> Scalar.word(constant);
      case Number number -> number;
      case Boolean truth -> truth;
      default -> value.toString();
    };
  }

  private static String words(Duration duration) {
    return duration.toMillis() % 1000 == 0
        ? duration.toSeconds() + "s"
        : duration.toMillis() + "ms";
  }

  private static @Nullable Object part(Method accessor, Record value) {
    try {
      accessor.setAccessible(true);
      return accessor.invoke(value);
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new IllegalStateException(accessor + " cannot be read", e);
    }
  }
}
