package dev.berth.server;

import dev.berth.model.api.ProblemView;
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
                  Map.of("schema", RecordSchemas.reference(request, schemas)))));
    }
    if (route.takesBytes()) {
      operation.put(
          "requestBody",
          Map.of("required", true, "content", Map.of("application/octet-stream", Map.of())));
    }
    Map<String, Object> responses = new LinkedHashMap<>();
    Map<String, Object> content =
        route.isStream()
            ? Map.of()
            : Map.of(
                "content",
                Map.of(
                    "application/json",
                    Map.of("schema", RecordSchemas.reference(route.response(), schemas))));
    Map<String, Object> success = new LinkedHashMap<>(Map.of("description", "done"));
    success.putAll(content);
    responses.put(String.valueOf(route.status()), success);
    responses.put(
        "default",
        Map.of(
            "description",
            "refused",
            "content",
            Map.of(
                "application/problem+json",
                Map.of("schema", RecordSchemas.reference(ProblemView.class, schemas)))));
    operation.put("responses", responses);
    operation.put(
        "security", route.need() == Need.NOTHING ? List.of() : List.of(Map.of("token", List.of())));
    return operation;
  }

  private static List<Map<String, Object>> parameters(Route<?, ?> route) {
    List<Map<String, Object>> parameters = new ArrayList<>();
    Pattern.compile("\\{([a-z]+)\\}")
        .matcher(route.path())
        .results()
        .forEach(
            match ->
                parameters.add(
                    Map.of(
                        "name",
                        match.group(1),
                        "in",
                        "path",
                        "required",
                        true,
                        "schema",
                        Map.of("type", "string"))));
    if (route.method() != Route.Method.GET) {
      parameters.add(
          Map.of(
              "name",
              MessageSender.KEY,
              "in",
              "header",
              "required",
              false,
              "schema",
              Map.of("type", "string", "minLength", 1, "maxLength", MessageSender.LONGEST_KEY)));
    }
    return parameters;
  }
}
