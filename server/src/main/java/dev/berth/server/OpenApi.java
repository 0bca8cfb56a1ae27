package dev.berth.server;

import dev.berth.model.api.ProblemView;
import io.javalin.http.HttpStatus;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The OpenAPI 3.1 document of the routes. */
final class OpenApi {
  /** Where the document is, below that of the API. */
  static final String PATH = "/openapi.json";

  private OpenApi() {}

  static Map<String, Object> document(List<Route<?, ?>> routes) {
    Map<String, Object> schemas = new TreeMap<>();
    Map<String, Map<String, Object>> paths = new LinkedHashMap<>();
    for (Route<?, ?> route : routes) {
      paths
          .computeIfAbsent(Routes.BASE + route.path(), _ -> new LinkedHashMap<>())
          .put(route.method().name().toLowerCase(Locale.ROOT), operation(route, schemas));
    }
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("openapi", "3.1.0");
    document.put("info", Map.of("title", "Berth", "version", "v1"));
    document.put("paths", paths);
    document.put(
        "components",
        Map.of(
            "schemas",
            schemas,
            "securitySchemes",
            Map.of("token", Map.of("type", "http", "scheme", "bearer"))));
    return document;
  }

  private static Map<String, Object> operation(Route<?, ?> route, Map<String, Object> schemas) {
    Map<String, Object> operation = new LinkedHashMap<>();
    operation.put("summary", route.summary());
    operation.put("description", route.need().sentence());
    operation.put("parameters", parameters(route));
    Class<?> request = route.request();
    if (request != null) {
      operation.put(
          "requestBody",
          Map.of(
              "required",
              true,
              "content",
              Map.of(
                  "application/json",
                  Map.of("schema", RecordSchemas.requested(request, schemas)))));
    }
    if (route.takesBytes()) {
      operation.put(
          "requestBody",
          Map.of(
              "required",
              true,
              "content",
              Map.of(
                  "application/octet-stream",
                  Map.of("schema", Map.of("type", "string", "format", "binary")))));
    }
    Map<String, Object> responses = new LinkedHashMap<>();
    responses.put(String.valueOf(route.status()), success(route, schemas));
    for (int status : route.contract().refusalsOf(route)) {
      responses.put(
          String.valueOf(status),
          Map.of(
              "description",
              HttpStatus.forStatus(status).getMessage(),
              "content",
              Map.of(
                  "application/problem+json",
                  Map.of("schema", RecordSchemas.reference(ProblemView.class, schemas)))));
    }
    operation.put("responses", responses);
    operation.put(
        "security", route.need() == Need.NOTHING ? List.of() : List.of(Map.of("token", List.of())));
    return operation;
  }

  private static Map<String, Object> success(Route<?, ?> route, Map<String, Object> schemas) {
    Map<String, Object> content = new LinkedHashMap<>();
    if (!route.isUpgrade()) {
      Map<String, Object> schema =
          route.isStream()
              ? Map.of()
              : Map.of("schema", RecordSchemas.reference(route.response(), schemas));
      route.contract().mediaTypes().forEach(type -> content.put(type, schema));
    }
    Map<String, Object> success = new LinkedHashMap<>(Map.of("description", "done"));
    if (!content.isEmpty()) {
      success.put("content", content);
    }
    return success;
  }

  private static List<Map<String, Object>> parameters(Route<?, ?> route) {
    List<Parameter> parameters = new ArrayList<>();
    Pattern.compile("\\{([a-z]+)\\}")
        .matcher(route.path())
        .results()
        .forEach(match -> parameters.add(Parameter.ofPath(match.group(1))));
    parameters.addAll(route.contract().parameters());
    if (route.method() != Route.Method.GET) {
      parameters.add(
          Parameter.header(
              MessageSender.KEY,
              Map.of(
                  "type",
                  "string",
                  "minLength",
                  1,
                  "maxLength",
                  MessageSender.LONGEST_KEY,
                  "pattern",
                  "\\S")));
    }
    return parameters.stream().map(Parameter::described).toList();
  }
}
