package dev.berth.server;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * One operation of the API: what it is called, what it takes and gives, and who carries it out.
 * Handlers and the OpenAPI document come from the same list of routes.
 */
record Route<I, O>(
    Method method,
    String path,
    String summary,
    boolean open,
    @Nullable Class<I> request,
    Class<O> response,
    int status,
    Handler<I, O> handler) {
  enum Method {
    GET,
    POST,
    DELETE
  }

  interface Handler<I, O> {
    /** Carries the request out; null only where the handler wrote the response itself. */
    @Nullable O handle(Call call, @Nullable I body) throws IOException, InterruptedException;
  }

  static <O> Route<Void, O> get(
      String path, String summary, Class<O> response, Handler<Void, O> handler) {
    return new Route<>(Method.GET, path, summary, false, null, response, 200, handler);
  }

  static <I, O> Route<I, O> post(
      String path,
      String summary,
      Class<I> request,
      Class<O> response,
      int status,
      Handler<I, O> handler) {
    return new Route<>(Method.POST, path, summary, false, request, response, status, handler);
  }

  /** A call that takes no body. */
  static <O> Route<Void, O> post(
      String path, String summary, Class<O> response, Handler<Void, O> handler) {
    return new Route<>(Method.POST, path, summary, false, null, response, 200, handler);
  }

  static <O> Route<Void, O> delete(
      String path, String summary, Class<O> response, Handler<Void, O> handler) {
    return new Route<>(Method.DELETE, path, summary, false, null, response, 200, handler);
  }

  /** The same, for anybody: no token is asked for. */
  Route<I, O> openToAll() {
    return new Route<>(method, path, summary, true, request, response, status, handler);
  }

  /** A response that is bytes or events, not JSON. */
  boolean isStream() {
    return response == Void.class;
  }
}
