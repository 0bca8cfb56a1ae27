package dev.berth.grammar;

/**
 * The text is not a YAML document that Berth reads. The only exception that leaves {@link
 * YamlReader}.
 */
public final class SyntaxException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Problem problem;

  SyntaxException(Rule rule, Position position, String message) {
    super(message);
    this.problem = new Problem(rule, position, "", message);
  }

  public Problem problem() {
    return problem;
  }
}
