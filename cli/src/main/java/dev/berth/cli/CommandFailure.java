package dev.berth.cli;

import dev.berth.model.api.FieldProblem;
import java.util.List;

/** A command that cannot go on, with the sentence for the user and the exit code for scripts. */
final class CommandFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int exitCode;

  CommandFailure(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  /** What the server will not do, field by field. */
  static CommandFailure refused(String sentence, List<FieldProblem> reasons) {
    StringBuilder text = new StringBuilder(sentence).append(':');
    reasons.forEach(
        problem ->
            text.append("\n  ").append(problem.path()).append(": ").append(problem.message()));
    return new CommandFailure(ExitCode.REFUSED, text.toString());
  }

  int exitCode() {
    return exitCode;
  }
}
