package dev.berth.server;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Talks to a server and writes everything down, by route. */
final class GoldenTalk implements AutoCloseable {
  private static final Pattern PART = Pattern.compile("\\{[a-z]+}");
  private static final String NOBODY = "nobody";

  /** What the HTTP library adds, and says nothing about the route. */
  private static final Set<String> NOT_OURS =
      Set.of("date", "content-length", "transfer-encoding", "connection");

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final String url;
  private final Placeholders placeholders;
  private final Map<String, String> tokens = new LinkedHashMap<>();
  private final Map<String, List<Object>> said = new LinkedHashMap<>();

  GoldenTalk(String url, Placeholders placeholders) {
    this.url = url;
    this.placeholders = placeholders;
  }

  /** Makes somebody known who can ask. */
  void introduce(String caller, String token) {
    tokens.put(caller, token);
  }

  /**
   * Asks, and writes down what is asked and answered.
   *
   * @param route method and path of a route, and maybe a query
   * @param body bytes as they are, anything else as JSON, null for none
   * @param values what stands for the parts of the path, in their order
   */
  JsonNode ask(String caller, String route, @Nullable Object body, String... values) {
    String method = route.substring(0, route.indexOf(' '));
    String template = route.substring(route.indexOf(' ') + 1);
    String path = Routes.BASE + filled(template, List.of(values));
    HttpResponse<byte[]> answer = send(caller, method, path, body);
    Map<String, @Nullable Object> request = new LinkedHashMap<>();
    request.put("caller", caller);
    request.put("path", placeholders.in(path));
    if (body != null) {
      request.put("body", shown(body));
    }
    JsonNode content = content(answer);
    Map<String, Object> response = new LinkedHashMap<>();
    response.put("status", answer.statusCode());
    response.put("headers", headers(answer));
    response.put("body", placeholders.in("", content));
    Map<String, Object> exchange = new LinkedHashMap<>();
    exchange.put("request", request);
    exchange.put("answer", response);
    said.computeIfAbsent(method + " " + template.replaceFirst("\\?.*", ""), _ -> new ArrayList<>())
        .add(exchange);
    return content;
  }

  private static String filled(String template, List<String> values) {
    Matcher parts = PART.matcher(template);
    List<String> left = new ArrayList<>(values);
    String path = parts.replaceAll(_ -> Matcher.quoteReplacement(left.removeFirst()));
    if (!left.isEmpty()) {
      throw new IllegalArgumentException(template + " has no place for " + left);
    }
    return path;
  }

  private Object shown(Object body) {
    return body instanceof byte[] bytes
        ? new String(bytes, StandardCharsets.UTF_8)
        : placeholders.in("", GoldenFiles.parse(json(body)));
  }

  private static byte[] json(Object body) {
    return ApiJson.MAPPER.writeValueAsBytes(body);
  }

  private HttpResponse<byte[]> send(
      String caller, String method, String path, @Nullable Object body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url + path))
            .header("X-Request-Id", "golden")
            .method(
                method,
                body == null
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofByteArray(
                        body instanceof byte[] bytes ? bytes : json(body)));
    if (!caller.equals(NOBODY)) {
      request.header("Authorization", "Bearer " + tokens.get(caller));
    }
    try {
      return http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    } catch (IOException e) {
      throw new AssertionError(method + " " + path, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  private static SortedMap<String, String> headers(HttpResponse<byte[]> answer) {
    SortedMap<String, String> headers = new TreeMap<>();
    answer
        .headers()
        .map()
        .forEach(
            (name, values) -> {
              String word = name.toLowerCase(Locale.ROOT);
              if (!NOT_OURS.contains(word)) {
                headers.put(word, String.join(", ", values));
              }
            });
    return headers;
  }

  /** JSON as it is; events one by one; of metrics which there are; other text by lines. */
  private static JsonNode content(HttpResponse<byte[]> answer) {
    String type = answer.headers().firstValue("Content-Type").orElse("");
    String text = new String(answer.body(), StandardCharsets.UTF_8);
    if (type.matches("application/(problem\\+)?json.*")) {
      return GoldenFiles.parse(answer.body());
    }
    if (type.startsWith("text/event-stream")) {
      return ApiJson.MAPPER.valueToTree(
          Stream.of(text.split("\n\n", -1))
              .filter(event -> !event.isEmpty())
              .map(GoldenTalk::event)
              .toList());
    }
    Predicate<String> shown =
        type.startsWith("text/plain") ? GoldenTalk::isShownOfMetrics : _ -> true;
    return ApiJson.MAPPER.valueToTree(text.lines().filter(shown).toList());
  }

  /**
   * Which there are. A minute after its start a server looks for orphans, and may be asked then.
   */
  private static boolean isShownOfMetrics(String line) {
    return line.startsWith("#") && !line.contains(" berth_orphans");
  }

  /** An event of a stream, whose data may be JSON. */
  private static Map<String, Object> event(String text) {
    Map<String, Object> event = new LinkedHashMap<>();
    text.lines()
        .forEach(
            line -> {
              String value = line.substring(line.indexOf(": ") + 2);
              event.put(
                  line.substring(0, line.indexOf(':')),
                  value.startsWith("{")
                      ? GoldenFiles.parse(value.getBytes(StandardCharsets.UTF_8))
                      : value);
            });
    return event;
  }

  /** All that was said, by route. */
  Map<String, List<Object>> said() {
    return said;
  }

  @Override
  public void close() {
    http.close();
  }
}
