package dev.berth.server;

import dev.berth.model.api.FieldProblem;
import java.util.List;
import java.util.Map;

/** A request that is refused, with the status and the sentence that the client gets. */
final class ApiException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;
  private final transient List<FieldProblem> errors;
  private final transient Map<String, String> headers;

  ApiException(int status, String message, List<FieldProblem> errors, Map<String, String> headers) {
    super(message);
    this.status = status;
    this.errors = List.copyOf(errors);
    this.headers = Map.copyOf(headers);
  }

  ApiException(int status, String message, List<FieldProblem> errors) {
    this(status, message, errors, Map.of());
  }

  ApiException(int status, String message) {
    this(status, message, List.of());
  }

  /** A field of the request that is wrong. */
  static ApiException ofField(int status, String kind, String field, String sentence) {
    return new ApiException(
        status,
        "the " + kind + " '" + field + "' is wrong: " + sentence,
        List.of(new FieldProblem(field, sentence)));
  }

  /** What is asked for cannot be, for these reasons, of which there is at least one. */
  static ApiException refused(String what, List<FieldProblem> reasons) {
    FieldProblem first = reasons.getFirst();
    return new ApiException(
        422, "the " + what + " is refused: " + first.path() + ": " + first.message(), reasons);
  }

  int status() {
    return status;
  }

  List<FieldProblem> errors() {
    return errors;
  }

  /** What the answer says besides its body. */
  Map<String, String> headers() {
    return headers;
  }
}
