package dev.berth.grammar;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** A file and what must be said of it. */
final class Case {
  private final String label;
  private final byte[] bytes;
  private final Optional<Expected> expected;

  private Case(String label, byte[] bytes, Optional<Expected> expected) {
    this.label = label;
    this.bytes = bytes;
    this.expected = expected;
  }

  /** Where a problem is reported: exactly there, or somewhere behind it on the same line. */
  enum Column {
    EXACT,
    OR_BEHIND
  }

  record Expected(Rule rule, boolean isWarning, String path, Position position, Column column) {
    Expected(Rule rule, String path, Position position, Column column) {
      this(rule, false, path, position, column);
    }

    boolean isMetBy(Problem problem) {
      boolean columnFits =
          column == Column.EXACT
              ? problem.position().column() == position.column()
              : problem.position().column() >= position.column();
      return problem.rule() == rule
          && problem.path().equals(path)
          && problem.position().line() == position.line()
          && columnFits
          && !problem.message().isBlank();
    }
  }

  static Case good(String label, String text) {
    return good(label, text.getBytes(StandardCharsets.UTF_8));
  }

  static Case good(String label, byte[] bytes) {
    return new Case(label, bytes, Optional.empty());
  }

  static Case bad(String label, String text, Expected expected) {
    return bad(label, text.getBytes(StandardCharsets.UTF_8), expected);
  }

  static Case bad(String label, byte[] bytes, Expected expected) {
    return new Case(label, bytes, Optional.of(expected));
  }

  /** What a person needs to find the case again. */
  String label() {
    return label;
  }

  byte[] bytes() {
    return bytes.clone();
  }

  /** The one problem of the file; none where the file is good. */
  Optional<Expected> expected() {
    return expected;
  }

  boolean isGood() {
    return expected.isEmpty();
  }

  /** Whether the file is accepted: it is good, or only warned about. */
  boolean isAccepted() {
    return expected.map(Expected::isWarning).orElse(true);
  }

  String text() {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  @Override
  public String toString() {
    return label;
  }
}
