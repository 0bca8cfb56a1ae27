package dev.berth.server;

import dev.berth.grammar.Kind;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Requests for the operations of an OpenAPI document: some as it says, most of them wrong in one
 * way or another. The same seed makes the same requests.
 */
final class RandomRequests {
  private static final Pattern PART = Pattern.compile("\\{([a-z]+)\\}");
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final int DEEP = 3000;
  private static final int LONG = 200_000;

  /** What numbers become that are taken for a size, a count or a time. */
  private static final List<Number> EXTREMES =
      List.of(
          0,
          -1,
          1,
          2,
          1000,
          1001,
          Integer.MAX_VALUE,
          Integer.MAX_VALUE + 1L,
          Long.MAX_VALUE,
          Long.MIN_VALUE,
          0.5,
          1e308);

  private final Random random;
  private final JsonNode document;
  private final JsonNode task = schema(Kind.TASK);
  private final JsonNode fleet = schema(Kind.FLEET);
  private int named;
  private final List<Operation> operations = new ArrayList<>();

  /** What words stand for in paths, queries and bodies: names that are there, and others. */
  private final List<String> words;

  /** One operation of the document. */
  record Operation(String method, String path, JsonNode described) {}

  /** A request without a token. */
  record Request(String method, String path, @Nullable String body) {}

  RandomRequests(JsonNode document, List<String> words, long seed) {
    this.document = document;
    this.words = words;
    this.random = new Random(seed);
    document
        .get("paths")
        .properties()
        .forEach(
            path ->
                path.getValue()
                    .properties()
                    .forEach(
                        method ->
                            operations.add(
                                new Operation(
                                    method.getKey().toUpperCase(Locale.ROOT),
                                    path.getKey(),
                                    method.getValue()))));
  }

  private static JsonNode schema(Kind kind) {
    return ApiJson.MAPPER.valueToTree(kind.schema());
  }

  List<Operation> operations() {
    return operations;
  }

  Request next(Operation operation) {
    Matcher parts = PART.matcher(operation.path());
    String path = parts.replaceAll(_ -> Matcher.quoteReplacement(encoded(word())));
    StringBuilder query = new StringBuilder();
    for (String name :
        List.of("limit", "after", "wait", "offset", "cursor", "node", "attempt", "all", "user")) {
      if (random.nextInt(6) == 0) {
        query
            .append(query.isEmpty() ? '?' : '&')
            .append(name)
            .append('=')
            .append(encoded(number()));
      }
    }
    JsonNode schema =
        operation.described().at("/requestBody/content").path("application/json").path("schema");
    boolean takesBody = !operation.method().equals("GET");
    return new Request(
        operation.method(),
        path + query,
        takesBody && random.nextInt(12) > 0 ? body(operation.path(), schema) : null);
  }

  private String word() {
    return words.get(random.nextInt(words.size()));
  }

  /** No wait: it would only take time. */
  private String number() {
    return List.of(
            "0", "-1", "1", "999999999999999999999", "x", "", "1e3", "0x10", "true", "\u0000")
        .get(random.nextInt(10));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private String body(String path, JsonNode schema) {
    return switch (random.nextInt(14)) {
      case 0 -> "";
      case 1 -> "{";
      case 2 -> "[".repeat(DEEP) + "]".repeat(DEEP);
      case 3 -> "{\"configuration\":".repeat(DEEP) + "1" + "}".repeat(DEEP);
      case 4 -> "\"" + "x".repeat(LONG) + "\"";
      case 5 -> "\u0000\uFFFF not json";
      case 6, 7 -> value(document, schema, 0).toString();
      default ->
          path.contains("/runs") && !path.contains("{run}")
              ? configured(task, JSON.objectNode().put("type", "task")).toString()
              : path.endsWith("/fleets") || path.endsWith("/fleets/plan")
                  ? configured(fleet, JSON.objectNode().put("type", "fleet").put("nodes", 0))
                      .toString()
                  : value(document, schema, 0).toString();
    };
  }

  /**
   * A request with a configuration that would be accepted, but for a few fields that are as their
   * schema says, more or less. Names are no words: whoever follows an active run waits for its end.
   */
  private ObjectNode configured(JsonNode schema, ObjectNode configuration) {
    if (configuration.get("type").asString().equals("task")) {
      configuration.putArray("commands").add("true");
    }
    JsonNode properties = resolved(schema, schema).path("properties");
    List<String> fields = List.copyOf(properties.propertyNames());
    for (int changed = random.nextInt(4); changed > 0; changed--) {
      String field = fields.get(random.nextInt(fields.size()));
      if (!List.of("type", "name").contains(field)) {
        configuration.set(field, value(schema, properties.path(field), 1));
      }
    }
    ObjectNode request = JSON.objectNode().put("name", "fuzz-" + named++);
    request.set("configuration", configuration);
    return request;
  }

  private static JsonNode resolved(JsonNode root, JsonNode schema) {
    JsonNode resolved = schema;
    while (resolved.has("$ref")) {
      resolved = root.at(resolved.get("$ref").asString().substring(1));
    }
    return resolved;
  }

  private JsonNode value(JsonNode root, JsonNode schema, int depth) {
    if (random.nextInt(7) == 0 || depth > 6) {
      return anything();
    }
    JsonNode resolved = resolved(root, schema);
    for (String choice : List.of("anyOf", "oneOf", "enum")) {
      JsonNode choices = resolved.path(choice);
      if (!choices.isEmpty()) {
        JsonNode chosen = choices.get(random.nextInt(choices.size()));
        return choice.equals("enum") ? chosen : value(root, chosen, depth + 1);
      }
    }
    if (resolved.has("const")) {
      return resolved.get("const");
    }
    JsonNode type = resolved.path("type");
    String word =
        type.isArray() ? type.get(random.nextInt(type.size())).asString() : type.asString();
    return switch (word) {
      case "object" -> object(root, resolved, depth);
      case "array" ->
          JSON.arrayNode()
              .add(value(root, resolved.path("items"), depth + 1))
              .add(value(root, resolved.path("items"), depth + 1));
      case "string" -> JSON.stringNode(word());
      case "integer", "number" ->
          ApiJson.MAPPER.valueToTree(EXTREMES.get(random.nextInt(EXTREMES.size())));
      case "boolean" -> JSON.booleanNode(random.nextBoolean());
      case "null" -> JSON.nullNode();
      default -> anything();
    };
  }

  private ObjectNode object(JsonNode root, JsonNode schema, int depth) {
    ObjectNode made = JSON.objectNode();
    schema
        .path("properties")
        .properties()
        .forEach(
            property -> {
              if (random.nextInt(8) > 0) {
                made.set(property.getKey(), value(root, property.getValue(), depth + 1));
              }
            });
    if (random.nextInt(5) == 0) {
      made.set(word(), anything());
    }
    return made;
  }

  private JsonNode anything() {
    return switch (random.nextInt(8)) {
      case 0 -> JSON.nullNode();
      case 1 -> JSON.numberNode(Long.MIN_VALUE);
      case 2 -> JSON.numberNode(1e308);
      case 3 -> JSON.stringNode("\u0000\uD800 \u202E" + "é".repeat(random.nextInt(2000)));
      case 4 -> JSON.arrayNode().add(1).add("x");
      case 5 -> JSON.objectNode().put("type", "task").put("a", 1);
      case 6 -> JSON.booleanNode(true);
      default -> JSON.stringNode(word());
    };
  }
}
