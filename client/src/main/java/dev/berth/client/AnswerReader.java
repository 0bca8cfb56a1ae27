package dev.berth.client;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes records of the API from answers, as a mapper of Jackson does: names in snake case, unknown
 * names skipped, missing ones null. Getting such a mapper ready takes longer than most commands.
 */
final class AnswerReader {
  private AnswerReader() {}

  /**
   * Reads a record.
   *
   * @throws MalformedAnswerException if the text is not JSON, or not that record's
   */
  static <T> T read(String json, Class<T> type) {
    Object value = value(JsonText.parse(json), type);
    if (value == null) {
      throw mismatch(value, type);
    }
    return type.cast(value);
  }

  private static @Nullable Object value(@Nullable Object json, Type type) {
    if (type == Object.class) {
      return json;
    }
    return switch (json) {
      case null -> absent(type);
      case String text when type == String.class -> text;
      case String text when type == Instant.class -> time(text);
      case Boolean truth when type == boolean.class || type == Boolean.class -> truth;
      case Integer number when type == int.class || type == Integer.class -> number;
      case Integer number when type == long.class || type == Long.class -> number.longValue();
      case Long number when type == long.class || type == Long.class -> number;
      case Number number when type == double.class || type == Double.class -> number.doubleValue();
      case List<?> items -> list(items, type);
      case Map<?, ?> entries when type instanceof Class<?> record && record.isRecord() ->
          record(entries, record);
      case Map<?, ?> entries -> map(entries, type);
      default -> throw mismatch(json, type);
    };
  }

  private static Instant time(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeException e) {
      throw new MalformedAnswerException("'" + text + "' is not a time", e);
    }
  }

  private static List<@Nullable Object> list(List<?> json, Type type) {
    Type item = argument(json, type, List.class, 0);
    List<@Nullable Object> items = new ArrayList<>();
    for (Object each : json) {
      items.add(value(each, item));
    }
    return items;
  }

  private static Map<Object, @Nullable Object> map(Map<?, ?> json, Type type) {
    Type item = argument(json, type, Map.class, 1);
    Map<Object, @Nullable Object> entries = new LinkedHashMap<>();
    json.forEach((name, each) -> entries.put(name, value(each, item)));
    return entries;
  }

  private static Object record(Map<?, ?> json, Class<?> type) {
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types = new Class<?>[components.length];
    @Nullable Object[] values = new @Nullable Object[components.length];
    for (int i = 0; i < components.length; i++) {
      types[i] = components[i].getType();
      boolean generic = types[i] == List.class || types[i] == Map.class;
      values[i] =
          value(
              json.get(RequestWriter.snakeCase(components[i].getName())),
              generic ? components[i].getGenericType() : types[i]);
    }
    try {
      return type.getDeclaredConstructor(types).newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new MalformedAnswerException("it is no " + type.getSimpleName(), e);
    }
  }

  private static @Nullable Object absent(Type type) {
    if (type == boolean.class) {
      return false;
    } else if (type == int.class) {
      return 0;
    } else if (type == long.class) {
      return 0L;
    }
    return type == double.class ? (Object) 0.0 : null;
  }

  private static Type argument(Object json, Type type, Class<?> raw, int index) {
    if (type instanceof ParameterizedType generic && generic.getRawType() == raw) {
      return generic.getActualTypeArguments()[index];
    }
    throw mismatch(json, type);
  }

  private static MalformedAnswerException mismatch(@Nullable Object json, Type type) {
    return new MalformedAnswerException(
        (json == null ? "nothing" : "a " + json.getClass().getSimpleName())
            + " where "
            + type.getTypeName()
            + " is expected",
        null);
  }
}
