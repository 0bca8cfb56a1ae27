package dev.berth.model.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why a request was refused (RFC 9457).
 *
 * @param requestId by which the server's log tells more; null where no request is told apart
 */
public record ProblemView(
    String type,
    String title,
    int status,
    String detail,
    List<FieldProblem> errors,
    @Nullable String requestId) {
  public ProblemView(
      String type, String title, int status, String detail, List<FieldProblem> errors) {
    this(type, title, status, detail, errors, null);
  }
}
