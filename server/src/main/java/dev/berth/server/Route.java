package dev.berth.server;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * One operation of the API: what it is called, who may ask for it, what it takes and gives, and who
 * carries it out. Handlers and the OpenAPI document come from the same list of routes.
 */
record Route<I, O>(
    Method method,
    String path,
    String summary,
    Need need,
    @Nullable Class<I> request,
    Class<O> response,
    int status,
    Handler<I, O> handler,
    int largestBody,
    Contract contract) {
  private static final int SWITCHING = 101;

  Route {
    if (largestBody < 0) {
      throw new IllegalArgumentException(path + " takes less than nothing");
    }
    boolean ofProject = path.contains("{project}");
    if (need != Need.GLOBAL_ADMIN && need.role().isPresent() != ofProject) {
      throw new IllegalArgumentException(path + " needs a role in a project, or names none");
    }
  }

  /** One whose body has the usual size at most: less for who shows no token. */
  Route(
      Method method,
      String path,
      String summary,
      Need need,
      @Nullable Class<I> request,
      Class<O> response,
      int status,
      Handler<I, O> handler) {
    this(
        method,
        path,
        summary,
        need,
        request,
        response,
        status,
        handler,
        need == Need.NOTHING ? RequestBytes.LARGEST_OF_STRANGERS : RequestBytes.LARGEST,
        method == Method.GET ? Contract.READING : Contract.CHANGING);
  }

  enum Method {
    GET,
    POST,
    PUT,
    DELETE
  }

  interface Handler<I, O> {
    /** Carries the request out; null only where the handler wrote the response itself. */
    @Nullable O handle(Call call, @Nullable I body) throws IOException, InterruptedException;
  }

  static <O> Route<Void, O> get(
      Need need, String path, String summary, Class<O> response, Handler<Void, O> handler) {
    return new Route<>(Method.GET, path, summary, need, null, response, 200, handler);
  }

  static <I, O> Route<I, O> post(
      Need need,
      String path,
      String summary,
      Class<I> request,
      Class<O> response,
      int status,
      Handler<I, O> handler) {
    return new Route<>(Method.POST, path, summary, need, request, response, status, handler);
  }

  /** A call that takes no body. */
  static <O> Route<Void, O> post(
      Need need, String path, String summary, Class<O> response, Handler<Void, O> handler) {
    return new Route<>(Method.POST, path, summary, need, null, response, 200, handler);
  }

  /** A call whose body is bytes, which the handler reads itself. */
  static <O> Route<Void, O> put(
      Need need, String path, String summary, Class<O> response, Handler<Void, O> handler) {
    return new Route<>(Method.PUT, path, summary, need, null, response, 200, handler);
  }

  static <O> Route<Void, O> delete(
      Need need, String path, String summary, Class<O> response, Handler<Void, O> handler) {
    return new Route<>(Method.DELETE, path, summary, need, null, response, 200, handler);
  }

  /** A call whose connection becomes a WebSocket, if it is let in. */
  static Route<Void, Void> upgrade(
      Need need, String path, String summary, Handler<Void, Void> handler) {
    return new Route<>(Method.GET, path, summary, need, null, Void.class, SWITCHING, handler)
        .refusing(409, 422, 426, 502);
  }

  /** The same, for JSON of up to so many bytes. */
  Route<I, O> takingUpTo(int bytes) {
    return new Route<>(
        method, path, summary, need, request, response, status, handler, bytes, contract);
  }

  /** The same, with more parameters of its query or head. */
  Route<I, O> taking(Parameter... parameters) {
    return with(contract.taking(parameters));
  }

  /** The same, which refuses with these statuses beside those that follow from the rest of it. */
  Route<I, O> refusing(Integer... statuses) {
    return with(contract.refusing(statuses));
  }

  /** The same, which answers with these media types. */
  Route<I, O> giving(String... mediaTypes) {
    return with(contract.giving(mediaTypes));
  }

  private Route<I, O> with(Contract other) {
    return new Route<>(
        method, path, summary, need, request, response, status, handler, largestBody, other);
  }

  boolean isUpgrade() {
    return status == SWITCHING;
  }

  /** Whether the body is bytes, not JSON. */
  boolean takesBytes() {
    return method == Method.PUT;
  }

  /** A response that is bytes or events, not JSON. */
  boolean isStream() {
    return response == Void.class;
  }
}
