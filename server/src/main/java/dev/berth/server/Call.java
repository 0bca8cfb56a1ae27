package dev.berth.server;

import dev.berth.server.traces.RequestTrace;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** One request, as handlers see it: no handler touches the HTTP library. */
final class Call {
  /** What a flag of the query may be. */
  static final List<String> FLAGS = List.of("true", "false", "1", "0", "");

  private final Exchange exchange;
  private final Caller caller;
  private final BooleanSupplier allowed;

  /**
   * A request that was let in.
   *
   * @param allowed whether it would be let in again now
   */
  Call(Exchange exchange, Caller caller, BooleanSupplier allowed) {
    this.exchange = exchange;
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
    return exchange.method() + " " + exchange.path();
  }

  String path(String name) {
    String part = exchange.pathParts().get(name);
    if (part == null) {
      throw new IllegalArgumentException("the path has no part '" + name + "'");
    }
    return part;
  }

  /** A part of the path that not every path has. */
  @Nullable String findPath(String name) {
    return exchange.pathParts().get(name);
  }

  @Nullable String query(String name) {
    return exchange.query(name);
  }

  /** All values of a name that may stand in the query several times. */
  List<String> queries(String name) {
    return exchange.queries(name);
  }

  /** Whether something is asked for; a name without a value asks for it. */
  boolean flag(String name) {
    String value = exchange.query(name);
    if (value != null && !FLAGS.contains(value)) {
      throw ApiException.ofField(400, "parameter", name, "expected true or false");
    }
    return value != null && !value.equals("false") && !value.equals("0");
  }

  /** A whole number from the query, within bounds. */
  long number(String name, long otherwise, long min, long max) {
    String value = exchange.query(name);
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
    return exchange.header(name);
  }

  /** How long the body says that it is; -1 where it does not say. */
  long contentLength() {
    return exchange.contentLength();
  }

  /** The body as it comes, for handlers of bytes. */
  InputStream content() {
    return exchange.content();
  }

  /** Where the request comes from. */
  String address() {
    return exchange.address();
  }

  /** The request as traces see it. */
  RequestTrace trace() {
    return exchange.trace();
  }

  /** The same request, of somebody who was not known before. */
  Call as(Caller other) {
    return new Call(exchange, other, allowed);
  }

  void responseHeader(String name, String value) {
    exchange.responseHeader(name, value);
  }

  void bytes(byte[] bytes) {
    bytes("application/octet-stream", bytes);
  }

  void bytes(String contentType, byte[] bytes) {
    exchange.bytes(contentType, bytes);
  }

  /** Refuses who does not ask to become a connection. */
  void requireUpgrade() {
    if (!exchange.isUpgrade()) {
      throw new ApiException(
          426,
          "this becomes a WebSocket; ask for one with the headers of RFC 6455, as berth exec and"
              + " berth attach do",
          List.of(),
          Map.of("Upgrade", "websocket"));
    }
  }

  /** Has the request become a connection, on which this goes on while the caller may. */
  void talk(Conversation conversation) {
    exchange.talk(conversation, allowed);
  }

  /**
   * Opens a stream of server-sent events, which goes on until the handler returns or the client is
   * gone.
   */
  OutputStream events() throws IOException {
    return exchange.events();
  }
}
