package dev.berth.hosts.docker;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request as it is sent.
 *
 * @param path with the query, without the version
 * @param stream a body whose length is not known before; null where {@code body} is all
 */
@SuppressWarnings("ArrayRecordComponent") // a body is bytes; it is sent, never compared
public record EngineRequest(
    String method,
    String path,
    Map<String, String> headers,
    byte[] body,
    @Nullable InputStream stream) {
  public EngineRequest {
    headers = Map.copyOf(headers);
  }

  public static EngineRequest of(String method, String path) {
    return new EngineRequest(method, path, Map.of(), new byte[0], null);
  }

  public EngineRequest json(String text) {
    return with("Content-Type", "application/json").body(text.getBytes(StandardCharsets.UTF_8));
  }

  public EngineRequest with(String header, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(header, value);
    return new EngineRequest(method, path, more, body, stream);
  }

  private EngineRequest body(byte[] newBody) {
    return new EngineRequest(method, path, headers, newBody, null);
  }

  /** The same with a tar as its body. */
  public EngineRequest tar(InputStream tar) {
    return new EngineRequest(
        method, path, with("Content-Type", "application/x-tar").headers(), body, tar);
  }

  /** The path without its query, for sentences. */
  String bare() {
    int query = path.indexOf('?');
    return query < 0 ? path : path.substring(0, query);
  }

  /** The lines before the body. */
  byte[] head(String version) {
    StringBuilder head = new StringBuilder();
    String prefix = version.isEmpty() ? "" : "/v" + version;
    head.append(method).append(' ').append(prefix).append(path).append(" HTTP/1.1\r\n");
    head.append("Host: engine\r\n");
    if (!headers.containsKey("Upgrade")) {
      head.append("Connection: close\r\n");
    }
    headers.forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
    if (stream != null) {
      head.append("Transfer-Encoding: chunked\r\n");
    } else if (body.length > 0 || !method.equals("GET")) {
      head.append("Content-Length: ").append(body.length).append("\r\n");
    }
    return head.append("\r\n").toString().getBytes(StandardCharsets.UTF_8);
  }
}
