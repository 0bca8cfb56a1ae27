package dev.berth.grammar;

/**
 * One thing that is wrong, or worth a warning, in a file: which rule, where, and a sentence for the
 * user.
 */
public record Problem(Rule rule, Position position, String path, String message) {
  /** {@code FILE:LINE:COL: path: message}, the form that editors and terminals can follow. */
  public String format(String file) {
    String place = file + ":" + position.line() + ":" + position.column() + ": ";
    return path.isEmpty() ? place + message : place + path + ": " + message;
  }
}
