package dev.berth.testkit.fake;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * A call as a fake cloud gets it.
 *
 * @param path as it was sent, without the query
 * @param parameters the parts of the path that the route names, decoded
 * @param query the first value of each
 * @param headers the first value of each, under names in lower case
 */
public record FakeRequest(
    String method,
    String path,
    Map<String, String> parameters,
    Map<String, String> query,
    Map<String, String> headers,
    String body) {
  static final JsonMapper JSON = JsonMapper.builder().build();
  private static final String BEARER = "Bearer ";

  public FakeRequest {
    parameters = Map.copyOf(parameters);
    query = Map.copyOf(query);
    headers = Map.copyOf(headers);
  }

  static Map<String, String> parsed(String raw) {
    Map<String, String> query = new TreeMap<>();
    for (String pair : raw.isEmpty() ? new String[0] : raw.split("&")) {
      int equals = pair.indexOf('=');
      String name = equals < 0 ? pair : pair.substring(0, equals);
      query.putIfAbsent(decoded(name), equals < 0 ? "" : decoded(pair.substring(equals + 1)));
    }
    return query;
  }

  /** A part of a path, where a plus is a plus. */
  static String decodedPath(String text) {
    return decoded(text.replace("+", "%2B"));
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  FakeRequest with(Map<String, String> newParameters) {
    return new FakeRequest(method, path, newParameters, query, headers, body);
  }

  /** A part of the path that the route names. */
  public String parameter(String name) {
    String value = parameters.get(name);
    if (value == null) {
      throw new IllegalArgumentException("the route has no {" + name + "}");
    }
    return value;
  }

  /** What the query says under a name. */
  public Optional<String> asked(String name) {
    return Optional.ofNullable(query.get(name));
  }

  public Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name.toLowerCase(Locale.ROOT)));
  }

  /** The token of the header {@code Authorization}. */
  public Optional<String> bearer() {
    return header("authorization")
        .filter(value -> value.startsWith(BEARER))
        .map(value -> value.substring(BEARER.length()));
  }

  /**
   * The body as JSON; an empty object where there is none.
   *
   * @throws FakeRefusal 400 where it is no JSON
   */
  public JsonNode json() {
    if (body.isBlank()) {
      return JsonNodeFactory.instance.objectNode();
    }
    try {
      return JSON.readTree(body);
    } catch (JacksonException e) {
      throw new FakeRefusal(400, "invalid-json", "the body is not JSON", e);
    }
  }

  /** The body as a form, such as those that ask for a token: the first value of each field. */
  public Map<String, String> form() {
    return parsed(body);
  }

  /**
   * The body as a record.
   *
   * @throws FakeRefusal 400 where it does not fit
   */
  public <T> T as(Class<T> type) {
    try {
      return JSON.treeToValue(json(), type);
    } catch (JacksonException e) {
      throw new FakeRefusal(400, "invalid-body", "the body does not fit: " + e.getMessage(), e);
    }
  }
}
