package dev.berth.testkit.fake;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a fake cloud answers.
 *
 * @param body empty for none
 */
public record FakeAnswer(int status, Map<String, String> headers, String body) {
  public FakeAnswer {
    if (status < 200 || status > 599) {
      throw new IllegalArgumentException("an answer has a status from 200 to 599: " + status);
    }
    headers = Map.copyOf(headers);
  }

  /**
   * JSON.
   *
   * @param body a record, a map, a list or a tree of Jackson
   */
  public static FakeAnswer json(int status, Object body) {
    return new FakeAnswer(
        status,
        Map.of("Content-Type", "application/json"),
        FakeRequest.JSON.writeValueAsString(body));
  }

  /** 200 with JSON. */
  public static FakeAnswer ok(Object body) {
    return json(200, body);
  }

  /** Plain text. */
  public static FakeAnswer text(int status, String body) {
    return new FakeAnswer(status, Map.of("Content-Type", "text/plain; charset=utf-8"), body);
  }

  /** A status and nothing else, such as 204. */
  public static FakeAnswer empty(int status) {
    return new FakeAnswer(status, Map.of(), "");
  }

  /** The same with one more header. */
  public FakeAnswer with(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(name, value);
    return new FakeAnswer(status, more, body);
  }
}
