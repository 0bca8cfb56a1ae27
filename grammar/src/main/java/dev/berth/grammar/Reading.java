package dev.berth.grammar;

import java.util.ArrayList;
import java.util.List;

/**
 * One pass over a tree: where we are, what was found wrong, and which spelling is read. Used by one
 * thread.
 */
public final class Reading {
  /** Which of the two spellings of a configuration is read. */
  public enum Dialect {
    /** What people write: shorthands, units, several spellings. */
    USER,
    /** What {@link Shape#write} writes. */
    NORMAL
  }

  private final Dialect dialect;
  private final boolean fillsDefaults;
  private final List<Problem> errors;
  private final List<Problem> warnings;
  private final String path;

  Reading(Dialect dialect, boolean fillsDefaults) {
    this(dialect, fillsDefaults, new ArrayList<>(), new ArrayList<>(), "");
  }

  private Reading(
      Dialect dialect,
      boolean fillsDefaults,
      List<Problem> errors,
      List<Problem> warnings,
      String path) {
    this.dialect = dialect;
    this.fillsDefaults = fillsDefaults;
    this.errors = errors;
    this.warnings = warnings;
    this.path = path;
  }

  /** The same pass, one field further down. */
  Reading field(String name) {
    return new Reading(
        dialect, fillsDefaults, errors, warnings, path.isEmpty() ? name : path + "." + name);
  }

  /** The same pass, at an item of a list. */
  Reading item(int index) {
    return new Reading(dialect, fillsDefaults, errors, warnings, path + "[" + index + "]");
  }

  /**
   * The same pass for a value that profiles and command lines may still fill: defaults stay out.
   */
  Reading withoutDefaults() {
    return new Reading(dialect, false, errors, warnings, path);
  }

  boolean isNormal() {
    return dialect == Dialect.NORMAL;
  }

  boolean fillsDefaults() {
    return fillsDefaults;
  }

  void error(Rule rule, Node node, String message) {
    error(rule, node.position(), message);
  }

  void error(Rule rule, Position position, String message) {
    errors.add(new Problem(rule, position, path, message));
  }

  void warning(Rule rule, Position position, String message) {
    warnings.add(new Problem(rule, position, path, message));
  }

  int errorCount() {
    return errors.size();
  }

  List<Problem> errors() {
    return errors;
  }

  List<Problem> warnings() {
    return warnings;
  }
}
