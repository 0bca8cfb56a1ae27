package dev.berth.server;

import io.javalin.http.Context;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/** One request, as handlers see it: no handler touches the HTTP library. */
final class Call {
  private final Context context;
  private final String user;

  Call(Context context, String user) {
    this.context = context;
    this.user = user;
  }

  String user() {
    return user;
  }

  String path(String name) {
    return context.pathParam(name);
  }

  @Nullable String query(String name) {
    return context.queryParam(name);
  }

  boolean flag(String name) {
    String value = context.queryParam(name);
    return value != null && !value.equals("false") && !value.equals("0");
  }

  /** A whole number from the query, within bounds. */
  long number(String name, long otherwise, long min, long max) {
    String value = context.queryParam(name);
    if (value == null) {
      return otherwise;
    }
    try {
      long number = Long.parseLong(value);
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw refusal(name, min, max);
    }
    throw refusal(name, min, max);
  }

  private static ApiException refusal(String name, long min, long max) {
    String sentence = "expected a whole number from " + min + " to " + max;
    return ApiException.ofField(400, "parameter", name, sentence);
  }

  @Nullable String header(String name) {
    return context.header(name);
  }

  void responseHeader(String name, String value) {
    context.header(name, value);
  }

  void bytes(byte[] bytes) {
    context.contentType("application/octet-stream");
    context.result(bytes);
  }

  /**
   * Opens a stream of server-sent events, which goes on until the handler returns or the client is
   * gone. Javalin's own stream is passed over: flushing it does nothing.
   */
  OutputStream events() throws IOException {
    context.contentType("text/event-stream");
    context.header("Cache-Control", "no-store");
    return context.res().getOutputStream();
  }
}
