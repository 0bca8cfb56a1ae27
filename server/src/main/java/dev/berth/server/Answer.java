package dev.berth.server;

import dev.berth.ledger.LedgerException;
import dev.berth.model.api.FieldProblem;
import dev.berth.model.api.ProblemView;
import dev.berth.spi.BackendException;
import io.javalin.http.HttpStatus;
import java.util.List;
import java.util.Map;

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

  static Answer problem(
      int status, String detail, List<FieldProblem> errors, Map<String, String> headers) {
    ProblemView view =
        new ProblemView(
            "about:blank", HttpStatus.forStatus(status).getMessage(), status, detail, errors);
    return new Answer(
        status, headers, "application/problem+json", ApiJson.MAPPER.writeValueAsBytes(view));
  }

  static Answer notThere(String path) {
    return problem(404, "there is nothing at " + path, List.of(), Map.of());
  }

  /**
   * What the client learns of a failure; the rest is for our log.
   *
   * @param target what was asked for
   */
  static Answer of(Exception failure, String target) {
    return switch (failure) {
      case ApiException e ->
          problem(e.status(), String.valueOf(e.getMessage()), e.errors(), e.headers());
      case BackendException e ->
          problem(
              e.isRetryable() ? 503 : 502,
              "the backend says: " + e.getMessage(),
              List.of(),
              Map.of());
      case LedgerException e -> {
        LOG.log(System.Logger.Level.ERROR, "The ledger could not be used", e);
        yield problem(
            e.code().retryable() ? 503 : 500,
            "the server cannot reach its state; its log says more",
            List.of(),
            Map.of("Retry-After", "1"));
      }
      default -> {
        LOG.log(System.Logger.Level.ERROR, "A request failed: " + target, failure);
        yield problem(500, "the server failed; its log says more", List.of(), Map.of());
      }
    };
  }
}
