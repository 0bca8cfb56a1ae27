package dev.berth.server;

import dev.berth.model.api.FieldProblem;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** JSON Schema of the records that the API takes and gives. */
final class RecordSchemas {
  /** The components that are always there; looking for annotations takes longer than a request. */
  private static final ClassValue<List<RecordComponent>> REQUIRED =
      new ClassValue<>() {
        @Override
        protected List<RecordComponent> computeValue(Class<?> type) {
          return Arrays.stream(type.getRecordComponents())
              .filter(component -> !isNullable(component))
              .toList();
        }
      };

  private RecordSchemas() {}

  /** A record that is answered, which may get more fields. */
  static Map<String, Object> reference(Class<?> type, Map<String, Object> schemas) {
    return reference(type, schemas, false);
  }

  /** A record that is sent, whose fields are all there are. */
  static Map<String, Object> requested(Class<?> type, Map<String, Object> schemas) {
    return reference(type, schemas, true);
  }

  private static Map<String, Object> reference(
      Class<?> type, Map<String, Object> schemas, boolean closed) {
    if (!schemas.containsKey(type.getSimpleName())) {
      schemas.put(type.getSimpleName(), Map.of());
      schemas.put(type.getSimpleName(), definition(type, schemas, closed));
    }
    return Map.of("$ref", "#/components/schemas/" + type.getSimpleName());
  }

  /** The components that a request must have and does not, also those of what is in it. */
  static List<FieldProblem> missing(Object record) {
    List<FieldProblem> missing = new ArrayList<>();
    addMissing(record, "", missing);
    return missing;
  }

  private static void addMissing(Object value, String path, List<FieldProblem> missing) {
    if (value instanceof List<?> items) {
      for (int i = 0; i < items.size(); i++) {
        addMissing(items.get(i), path + "[" + i + "]", missing);
      }
    } else if (value instanceof Record record) {
      for (RecordComponent component : REQUIRED.get(record.getClass())) {
        String name = snakeCase(component.getName());
        String full = path.isEmpty() ? name : path + "." + name;
        Object part = read(component, record);
        if (part == null) {
          missing.add(new FieldProblem(full, "this field is required"));
        } else {
          addMissing(part, full, missing);
        }
      }
    }
  }

  private static @Nullable Object read(RecordComponent component, Record record) {
    try {
      return component.getAccessor().invoke(record);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("a record of the API cannot be read", e);
    }
  }

  private static boolean isNullable(RecordComponent component) {
    return component.getAnnotatedType().isAnnotationPresent(Nullable.class);
  }

  private static Map<String, Object> definition(
      Class<?> type, Map<String, Object> schemas, boolean closed) {
    Map<String, Object> properties = new LinkedHashMap<>();
    List<String> required = new ArrayList<>();
    for (RecordComponent component : type.getRecordComponents()) {
      String name = snakeCase(component.getName());
      boolean optional = isNullable(component) || FieldSchemas.isOptional(type, name);
      Map<String, Object> schema =
          FieldSchemas.of(type, name, schema(component.getGenericType(), schemas, closed));
      properties.put(
          name, optional ? Map.of("anyOf", List.of(schema, Map.of("type", "null"))) : schema);
      if (!optional) {
        required.add(name);
      }
    }
    Map<String, Object> definition = new LinkedHashMap<>();
    definition.put("type", "object");
    definition.put("properties", properties);
    definition.put("required", required);
    if (closed) {
      definition.put("additionalProperties", false);
    }
    return definition;
  }

  private static Map<String, Object> schema(
      Type type, Map<String, Object> schemas, boolean closed) {
    if (type instanceof ParameterizedType generic) {
      Type last = generic.getActualTypeArguments()[generic.getActualTypeArguments().length - 1];
      return generic.getRawType() == List.class
          ? Map.of("type", "array", "items", schema(last, schemas, closed))
          : Map.of("type", "object");
    }
    if (type == String.class) {
      return Map.of("type", "string");
    }
    if (type == Instant.class) {
      return Map.of("type", "string", "format", "date-time");
    }
    if (type == int.class || type == Integer.class) {
      return Map.of("type", "integer", "minimum", Integer.MIN_VALUE, "maximum", Integer.MAX_VALUE);
    }
    if (type == long.class || type == Long.class) {
      return Map.of("type", "integer", "minimum", Long.MIN_VALUE, "maximum", Long.MAX_VALUE);
    }
    if (type == double.class || type == Double.class) {
      return Map.of("type", "number");
    }
    if (type == boolean.class || type == Boolean.class) {
      return Map.of("type", "boolean");
    }
    if (type instanceof Class<?> record && record.isRecord()) {
      return reference(record, schemas, closed);
    }
    throw new IllegalStateException("the API has no schema for " + type);
  }

  private static String snakeCase(String name) {
    return name.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
  }
}
