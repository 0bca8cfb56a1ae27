package dev.berth.server;

import io.javalin.http.Context;
import java.io.IOException;
import java.io.OutputStream;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** One request, as handlers see it: no handler touches the HTTP library. */
final class Call {
  private final Context context;
  private final Caller caller;
  private final BooleanSupplier allowed;

  /**
   * A request that was let in.
   *
   * @param allowed whether it would be let in again now
   */
  Call(Context context, Caller caller, BooleanSupplier allowed) {
    this.context = context;
    this.caller = caller;
    this.allowed = allowed;
  }

  Caller caller() {
    return caller;
  }

  String user() {
    return caller.user();
  }

  /** Whether the caller may still go on, for requests that last. */
  boolean isStillAllowed() {
    return allowed.getAsBoolean();
  }

  /** What the request is about: its method and path. */
  String target() {
    return context.method() + " " + context.path();
  }

  String path(String name) {
    return context.pathParam(name);
  }

  /** A part of the path that not every path has. */
  @Nullable String findPath(String name) {
    return context.pathParamMap().get(name);
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
