package dev.berth.spi.config;

import dev.berth.spi.BackendException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads a configuration into its record, and tells everything that is wrong with it at once. */
public final class ConfigReader {
  /** The field that chooses one of several records. */
  static final String DISCRIMINATOR = "type";

  private final List<ConfigProblem> problems = new ArrayList<>();

  private ConfigReader() {}

  /**
   * Reads a whole configuration.
   *
   * @throws BackendException.BadConfig with every problem
   */
  public static <C extends Record> C read(
      Class<C> type, Map<String, ? extends @Nullable Object> tree) {
    return read("", tree, type);
  }

  static <T> T read(String path, Object value, Class<T> type) {
    ConfigReader reader = new ConfigReader();
    Object read = reader.value(path, value, type);
    if (!reader.problems.isEmpty()) {
      throw new BackendException.BadConfig(reader.problems);
    }
    return type.cast(Objects.requireNonNull(read, "a value without problems is there"));
  }

  /** The value, or null together with a problem. */
  private @Nullable Object value(String path, Object value, Type type) {
    if (type instanceof ParameterizedType generic) {
      Type last = generic.getActualTypeArguments()[generic.getActualTypeArguments().length - 1];
      return generic.getRawType() == List.class ? list(path, value, last) : map(path, value, last);
    }
    Class<?> plain = (Class<?>) type;
    if (plain.isSealed() && plain.isInterface()) {
      return choice(path, value, plain);
    }
    if (plain.isRecord() && !Scalar.isScalar(plain)) {
      return record(path, value, plain, Set.of());
    }
    try {
      Object read = Scalar.read(plain, value);
      return read == null ? unreadable(plain) : read;
    } catch (Scalar.WrongValue e) {
      problem(path, String.valueOf(e.getMessage()));
      return null;
    }
  }

  private static Object unreadable(Class<?> type) {
    throw new IllegalStateException(
        type.getName() + " is no type that a setting may have; see the annotation Setting");
  }

  private @Nullable Object list(String path, Object value, Type element) {
    if (!(value instanceof List<?> items)) {
      problem(path, "must be a list");
      return null;
    }
    List<Object> read = new ArrayList<>();
    for (int i = 0; i < items.size(); i++) {
      Object item = items.get(i);
      Object one = item == null ? null : value(path + "[" + i + "]", item, element);
      if (item == null) {
        problem(path + "[" + i + "]", "has no value");
      } else if (one != null) {
        read.add(one);
      }
    }
    return List.copyOf(read);
  }

  private @Nullable Object map(String path, Object value, Type element) {
    if (!(value instanceof Map<?, ?> entries)) {
      problem(path, "must be a section");
      return null;
    }
    Map<String, Object> read = new LinkedHashMap<>();
    entries.forEach(
        (key, entry) -> {
          String at = join(path, String.valueOf(key));
          Object one = entry == null ? null : value(at, entry, element);
          if (entry == null) {
            problem(at, "has no value");
          } else if (one != null) {
            read.put(String.valueOf(key), one);
          }
        });
    return java.util.Collections.unmodifiableMap(read);
  }

  private @Nullable Object choice(String path, Object value, Class<?> sealed) {
    Map<String, Class<?>> choices =
        Arrays.stream(sealed.getPermittedSubclasses())
            .collect(
                Collectors.toMap(
                    Component::word, type -> type, (first, _) -> first, LinkedHashMap::new));
    String words = String.join(", ", choices.keySet());
    if (!(value instanceof Map<?, ?> section)) {
      problem(path, "must be a section with '" + DISCRIMINATOR + "', one of " + words);
      return null;
    }
    Object word = section.get(DISCRIMINATOR);
    Class<?> chosen = word == null ? null : choices.get(word.toString());
    if (chosen == null) {
      problem(
          join(path, DISCRIMINATOR),
          "must be one of " + words + (word == null ? "" : ", not '" + word + "'"));
      return null;
    }
    return record(path, value, chosen, Set.of(DISCRIMINATOR));
  }

  private @Nullable Object record(
      String path, Object value, Class<?> type, Set<String> alsoAllowed) {
    if (!(value instanceof Map<?, ?> section)) {
      problem(path, "must be a section");
      return null;
    }
    List<Component> components = Component.of(type);
    refuseUnknown(path, section, components, alsoAllowed);
    int before = problems.size();
    @Nullable Object[] arguments =
        components.stream().map(component -> argument(path, section, component)).toArray();
    return problems.size() > before ? null : construct(path, type, arguments);
  }

  private void refuseUnknown(
      String path, Map<?, ?> section, List<Component> components, Set<String> alsoAllowed) {
    Set<String> known =
        components.stream().map(Component::name).collect(Collectors.toCollection(TreeSet::new));
    for (Object key : section.keySet()) {
      if (!known.contains(String.valueOf(key)) && !alsoAllowed.contains(String.valueOf(key))) {
        problem(
            join(path, String.valueOf(key)),
            known.isEmpty()
                ? "is not a known setting; there are no settings"
                : "is not a known setting; known settings are " + String.join(", ", known));
      }
    }
  }

  private @Nullable Object argument(String path, Map<?, ?> section, Component component) {
    String at = join(path, component.name());
    Object written = section.get(component.name());
    if (written == null && !component.fallback().isEmpty()) {
      written = component.fallback();
    }
    if (written == null) {
      if (component.isOptional()) {
        return empty(component.type());
      }
      problem(at, "is missing");
      return null;
    }
    Object read = value(at, written, component.genericType());
    requireLeast(at, read, component.least());
    return read;
  }

  private static @Nullable Object empty(Class<?> type) {
    return type == List.class ? List.of() : type == Map.class ? Map.of() : null;
  }

  private void requireLeast(String path, @Nullable Object value, long least) {
    if (value instanceof Number number && number.doubleValue() < least) {
      problem(path, "must be " + least + " or more, not " + number);
    } else if (value instanceof List<?> list && list.size() < least) {
      problem(path, "must have " + least + " or more entries");
    }
  }

  private @Nullable Object construct(String path, Class<?> type, @Nullable Object[] arguments) {
    try {
      Constructor<?> constructor =
          type.getDeclaredConstructor(
              Arrays.stream(type.getRecordComponents())
                  .map(RecordComponent::getType)
                  .toArray(Class<?>[]::new));
      constructor.setAccessible(true);
      return constructor.newInstance(arguments);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof IllegalArgumentException wrong) {
        problem(path, String.valueOf(wrong.getMessage()));
        return null;
      }
      throw new IllegalStateException(type.getName() + " cannot be made", e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(type.getName() + " cannot be made", e);
    }
  }

  private void problem(String path, String message) {
    problems.add(new ConfigProblem(path, message));
  }

  private static String join(String path, String name) {
    return path.isEmpty() ? name : path + "." + name;
  }
}
