package dev.berth.server;

import dev.berth.ledger.LedgerException;
import dev.berth.model.api.FieldProblem;
import dev.berth.model.api.ProblemView;
import dev.berth.server.blobs.BlobException;
import dev.berth.spi.BackendException;
import io.javalin.http.HttpStatus;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The answer to a request, before it is sent. */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody
record Answer(int status, Map<String, String> headers, String contentType, byte[] body) {
  private static final System.Logger LOG = System.getLogger(Answer.class.getName());

  Answer {
    headers = Map.copyOf(headers);
  }

  static Answer json(int status, Object value) {
    return new Answer(
        status, Map.of(), "application/json", ApiJson.MAPPER.writeValueAsBytes(value));
  }

  /**
   * A refusal.
   *
   * @param request the id of the request, if it has one
   */
  static Answer problem(
      int status,
      String detail,
      List<FieldProblem> errors,
      Map<String, String> headers,
      @Nullable String request) {
    ProblemView view =
        new ProblemView(
            "about:blank",
            HttpStatus.forStatus(status).getMessage(),
            status,
            detail,
            errors,
            request);
    return new Answer(
        status, headers, "application/problem+json", ApiJson.MAPPER.writeValueAsBytes(view));
  }

  /** What is answered to a request that no route takes, though one of another method may. */
  static Answer unknown(List<Route<?, ?>> routes, String path, @Nullable String request) {
    List<String> methods =
        path.equals(Routes.BASE + OpenApi.PATH)
            ? List.of("GET")
            : mostSpecific(
                    routes.stream()
                        .filter(
                            route ->
                                new PathPattern(Routes.BASE + route.path()).match(path).isPresent())
                        .toList())
                .map(route -> route.method().name())
                .distinct()
                .sorted()
                .toList();
    return methods.isEmpty()
        ? problem(404, "there is no " + path, List.of(), Map.of(), request)
        : notAllowed(path, methods, request);
  }

  /** Of /runs/plan and /runs/{run}, the first is what is meant by the path of a plan. */
  private static Stream<Route<?, ?>> mostSpecific(List<Route<?, ?>> matching) {
    ToLongFunction<Route<?, ?>> parameters =
        route -> route.path().chars().filter(c -> c == '{').count();
    long fewest = matching.stream().mapToLong(parameters).min().orElse(0);
    return matching.stream().filter(route -> parameters.applyAsLong(route) == fewest);
  }

  static Answer notAllowed(String path, List<String> methods, @Nullable String request) {
    String allowed = String.join(", ", methods);
    return problem(405, path + " takes " + allowed, List.of(), Map.of("Allow", allowed), request);
  }

  /**
   * What the client learns of a failure; the rest is for our log.
   *
   * @param target what was asked for
   * @param request the id of the request, if it has one
   */
  static Answer of(Exception failure, String target, @Nullable String request) {
    return switch (failure) {
      case ApiException e ->
          problem(e.status(), String.valueOf(e.getMessage()), e.errors(), e.headers(), request);
      case BackendException e ->
          problem(
              e.isRetryable() ? 503 : 502,
              "the backend says: " + e.getMessage(),
              List.of(),
              Map.of(),
              request);
      case LedgerException e when e.code() == LedgerException.Code.CLOSED ->
          problem(
              503,
              "the server is stopping; try again",
              List.of(),
              Map.of("Retry-After", "1"),
              request);
      case LedgerException e -> {
        LOG.log(System.Logger.Level.ERROR, "The ledger could not be used", e);
        yield problem(
            e.code().retryable() ? 503 : 500,
            "the server cannot reach its state; its log says more",
            List.of(),
            Map.of("Retry-After", "1"),
            request);
      }
      case BlobException e -> blobProblem(e, request);
      default -> {
        LOG.log(System.Logger.Level.ERROR, "A request failed: " + target, failure);
        yield problem(
            500, "internal server error; see the server's log", List.of(), Map.of(), request);
      }
    };
  }

  private static Answer blobProblem(BlobException e, @Nullable String request) {
    int status =
        switch (e.code()) {
          case WRONG_CONTENT, CUT_OFF -> 400;
          case TOO_LARGE -> 413;
          case GONE -> 404;
          case AWAY, FULL -> 503;
          case REFUSED, NO_BUCKET, CANNOT_OPEN -> 500;
        };
    if (status < 500) {
      return problem(status, String.valueOf(e.getMessage()), List.of(), Map.of(), request);
    }
    LOG.log(System.Logger.Level.ERROR, "The store of uploads could not be used", e);
    return problem(
        status,
        e.code() == BlobException.Code.FULL
            ? "the server has no space left for uploads; tell its admin"
            : "the server cannot use its store of uploads; its log says more",
        List.of(),
        status == 503 ? Map.of("Retry-After", "5") : Map.of(),
        request);
  }
}
