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

  /** So many errors of one file are shown; a hostile file has as many as it has values. */
  static final int MAX_PROBLEMS = 1_000;

  private final Dialect dialect;
  private final boolean fillsDefaults;
  private final Log log;
  private final String path;

  /** What was found so far, shared by all places of one pass. */
  private static final class Log {
    private final List<Problem> errors = new ArrayList<>();
    private final List<Problem> warnings = new ArrayList<>();
    private int errorCount;
  }

  Reading(Dialect dialect, boolean fillsDefaults) {
    this(dialect, fillsDefaults, new Log(), "");
  }

  private Reading(Dialect dialect, boolean fillsDefaults, Log log, String path) {
    this.dialect = dialect;
    this.fillsDefaults = fillsDefaults;
    this.log = log;
    this.path = path;
  }

  /** The same pass, one field further down. */
  Reading field(String name) {
    return new Reading(dialect, fillsDefaults, log, path.isEmpty() ? name : path + "." + name);
  }

  /** The same pass, at an item of a list. */
  Reading item(int index) {
    return new Reading(dialect, fillsDefaults, log, path + "[" + index + "]");
  }

  /**
   * The same pass for a value that profiles and command lines may still fill: defaults stay out.
   */
  Reading withoutDefaults() {
    return new Reading(dialect, false, log, path);
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
    log.errorCount++;
    if (log.errors.size() < MAX_PROBLEMS) {
      log.errors.add(new Problem(rule, position, path, message));
    } else if (log.errors.size() == MAX_PROBLEMS) {
      log.errors.add(
          new Problem(
              Rule.TOO_MANY_ERRORS,
              position,
              "",
              "the file has more than " + MAX_PROBLEMS + " errors; the others are not shown"));
    }
  }

  void warning(Rule rule, Position position, String message) {
    if (log.warnings.size() < MAX_PROBLEMS) {
      log.warnings.add(new Problem(rule, position, path, message));
    }
  }

  /** Takes over what was found wrong before this pass. */
  void errors(List<Problem> problems) {
    log.errorCount += problems.size();
    log.errors.addAll(problems);
  }

  int errorCount() {
    return log.errorCount;
  }

  /** Whether further errors are only counted, so that nobody needs to find words for them. */
  boolean isFull() {
    return log.errors.size() > MAX_PROBLEMS;
  }

  List<Problem> errors() {
    return log.errors;
  }

  List<Problem> warnings() {
    return log.warnings;
  }
}
