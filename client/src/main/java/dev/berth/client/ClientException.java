package dev.berth.client;

import dev.berth.model.api.FieldProblem;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The server refused a request, or could not be reached (status 0). */
public final class ClientException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;
  private final transient List<FieldProblem> errors;

  ClientException(
      int status, String message, List<FieldProblem> errors, @Nullable Throwable cause) {
    super(message, cause);
    this.status = status;
    this.errors = List.copyOf(errors);
  }

  public int status() {
    return status;
  }

  /** Whether no server answered at all. */
  public boolean isUnreachable() {
    return status == 0;
  }

  public List<FieldProblem> errors() {
    return errors;
  }
}
