package dev.berth.spi.config;

import dev.berth.model.Secret;
import dev.berth.model.config.Size;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** JSON Schema of a configuration's record, as a tree. Pure. */
public final class ConfigSchema {
  private ConfigSchema() {}

  public static Map<String, Object> of(Class<? extends Record> type) {
    Map<String, Object> schema = new LinkedHashMap<>();
    schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
    schema.putAll(record(type));
    return schema;
  }

  private static Map<String, Object> of(Type type) {
    if (type instanceof ParameterizedType generic) {
      Type last = generic.getActualTypeArguments()[generic.getActualTypeArguments().length - 1];
      return generic.getRawType() == List.class
          ? tree("type", "array", "items", of(last))
          : tree("type", "object", "additionalProperties", of(last));
    }
    Class<?> plain = (Class<?>) type;
    if (plain.isSealed() && plain.isInterface()) {
      return tree(
          "oneOf",
          Arrays.stream(plain.getPermittedSubclasses()).map(ConfigSchema::chosen).toList());
    }
    return Scalar.isScalar(plain) ? scalar(plain) : record(plain);
  }

  private static Map<String, Object> chosen(Class<?> type) {
    Map<String, Object> schema = record(type);
    Map<String, Object> properties = new LinkedHashMap<>();
    properties.put(ConfigReader.DISCRIMINATOR, tree("const", Component.word(type)));
    if (schema.get("properties") instanceof Map<?, ?> own) {
      own.forEach((name, property) -> properties.put(String.valueOf(name), property));
    }
    schema.put("properties", properties);
    List<?> required = schema.get("required") instanceof List<?> own ? own : List.of();
    schema.put(
        "required",
        java.util.stream.Stream.concat(
                java.util.stream.Stream.of(ConfigReader.DISCRIMINATOR), required.stream())
            .toList());
    return schema;
  }

  private static Map<String, Object> record(Class<?> type) {
    Map<String, Object> properties = new LinkedHashMap<>();
    for (Component component : Component.of(type)) {
      Map<String, Object> property = of(component.genericType());
      if (!component.doc().isEmpty()) {
        property.put("description", component.doc());
      }
      if (!component.fallback().isEmpty()) {
        property.put("default", component.fallback());
      }
      if (component.least() != Long.MIN_VALUE) {
        property.put(component.type() == List.class ? "minItems" : "minimum", component.least());
      }
      properties.put(component.name(), property);
    }
    Map<String, Object> schema = new LinkedHashMap<>();
    Setting setting = type.getAnnotation(Setting.class);
    if (setting != null) {
      schema.put("description", setting.value());
    }
    schema.put("type", "object");
    schema.put("properties", properties);
    List<String> required =
        Component.of(type).stream()
            .filter(component -> !component.isOptional())
            .map(Component::name)
            .toList();
    if (!required.isEmpty()) {
      schema.put("required", required);
    }
    schema.put("additionalProperties", false);
    return schema;
  }

  private static Map<String, Object> scalar(Class<?> type) {
    if (type.isEnum()) {
      return tree("enum", Arrays.stream(type.getEnumConstants()).map(Scalar::word).toList());
    }
    if (type == boolean.class || type == Boolean.class) {
      return tree("type", "boolean");
    }
    if (type == int.class || type == Integer.class || type == long.class || type == Long.class) {
      return tree("type", "integer");
    }
    if (type == double.class || type == Double.class) {
      return tree("type", "number");
    }
    if (type == Size.class || type == Duration.class) {
      return tree("type", List.of("string", "integer"));
    }
    return type == Secret.class
        ? tree("type", "string", "writeOnly", true)
        : tree("type", "string");
  }

  private static Map<String, Object> tree(Object... pairs) {
    Map<String, Object> tree = new LinkedHashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      tree.put(String.valueOf(pairs[i]), pairs[i + 1]);
    }
    return tree;
  }
}
