package dev.berth.grammar;

import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Text with a rule: names, patterns, lengths and the small grammars that fit one word. */
final class Words {
  /** The name of a run, fleet, volume or gateway. */
  static final Shape<String> NAME =
      pattern(
          "[a-z][a-z0-9-]{1,40}",
          "a name of 2 to 41 lower-case letters, digits and dashes that starts with a letter");

  static final Shape<String> GROUP_NAME =
      pattern("[a-z0-9][a-z0-9-]{0,39}", "a name of 1 to 40 lower-case letters, digits and dashes");
  private static final List<String> PYTHON_VERSIONS =
      List.of("3.9", "3.10", "3.11", "3.12", "3.13", "3.14", "3.15");

  /** A Python version; 3.10 is what was written, whatever number YAML makes of it. */
  static final Shape<String> PYTHON =
      Checked.of(
          Rule.EXPECTED_CHOICE,
          Rule.EXPECTED_CHOICE,
          "a Python version: " + Text.alternatives(PYTHON_VERSIONS),
          // An editor's YAML parser turns 3.10 into the number 3.1.
          Map.of(
              "enum",
              Stream.concat(PYTHON_VERSIONS.stream(), PYTHON_VERSIONS.stream().map(Double::valueOf))
                  .toList()),
          PYTHON_VERSIONS::contains);

  static final Shape<String> USER =
      matching(
          Rule.USER_SYNTAX,
          "(?!-[0-9]+(:|$))[^:]+(:(?!-[0-9]+$)[^:]+)?",
          "a user such as ubuntu, 1000 or ubuntu:staff",
          Words::namesUser);
  static final Shape<String> SHELL =
      matching(
          Rule.SHELL_SYNTAX,
          "sh|bash|/.*",
          "sh, bash or an absolute path such as /usr/bin/zsh",
          text -> text.equals("sh") || text.equals("bash") || text.startsWith("/"));
  static final Shape<String> CRON =
      new Checked(
          Rule.CRON_SYNTAX,
          Rule.CRON_SYNTAX,
          "a cron expression",
          SchemaBuilder.text(CronSyntax.pattern()),
          (text, _) -> CronSyntax.complaint(text));
  static final Shape<String> PROBE_URL =
      matching(
          Rule.PROBE_URL,
          "/[^\\u0000-\\u001f\\u007f]{0,2047}",
          "a path that starts with '/', of at most 2048 printable characters",
          Words::isProbeUrl);
  static final Shape<String> PREFIX =
      pattern(
          "/[^\\s\\\\{}]{0,4093}",
          "a path prefix that starts with '/' and has no spaces, backslashes or braces");
  static final Shape<String> HEADER_NAME = pattern("[a-zA-Z0-9_-]{1,500}", "the name of a header");
  static final Shape<String> NOT_EMPTY = length(1, Integer.MAX_VALUE);

  private Words() {}

  static Shape<String> pattern(String regex, String expected) {
    Pattern pattern = Pattern.compile(regex);
    return matching(Rule.TEXT_PATTERN, regex, expected, text -> pattern.matcher(text).matches());
  }

  static Shape<String> length(int min, int max) {
    String expected =
        max == Integer.MAX_VALUE
            ? "text of at least " + min + " character(s)"
            : "text of " + min + " to " + max + " characters";
    String upper = max == Integer.MAX_VALUE ? "" : String.valueOf(max);
    return matching(
        Rule.TEXT_LENGTH,
        "[\\s\\S]{" + min + "," + upper + "}",
        expected,
        text -> text.length() >= min && text.length() <= max);
  }

  /** A text that can only be one of a few fixed words. */
  static Shape<String> fixed(String... words) {
    List<String> known = List.of(words);
    return matching(
        Rule.EXPECTED_CHOICE, String.join("|", known), Text.alternatives(known), known::contains);
  }

  private static Shape<String> matching(
      Rule rule, String regex, String expected, Predicate<String> test) {
    return Checked.of(
        Rule.EXPECTED_TEXT,
        rule,
        expected,
        Map.of("type", List.of("string", "number", "boolean"), "pattern", "^(?:" + regex + ")$"),
        test);
  }

  private static boolean namesUser(String text) {
    String[] parts = text.split(":", 3);
    if (parts.length > 2) {
      return false;
    }
    for (String part : parts) {
      if (part.isEmpty() || part.matches("-[0-9]+")) {
        return false;
      }
    }
    return true;
  }

  static boolean isProbeUrl(String text) {
    return text.startsWith("/")
        && text.length() <= 2048
        && text.codePoints().noneMatch(Character::isISOControl);
  }

  /**
   * Text that is tested.
   *
   * @param kind the rule that something other than text breaks
   * @param rule the rule that a wrong text breaks
   * @param schema what JSON Schema can say of it
   */
  record Checked(
      Rule kind, Rule rule, String expected, Map<String, Object> schema, Complaint complaint)
      implements Shape<String> {
    /** Text of which one sentence says what is expected. */
    static Checked of(
        Rule kind, Rule rule, String expected, Map<String, Object> schema, Predicate<String> test) {
      return new Checked(
          kind,
          rule,
          expected,
          schema,
          (text, found) -> test.test(text) ? null : "expected " + expected + ", found " + found);
    }

    @Override
    public @Nullable String read(Node node, Reading reading) {
      String text = Scalars.scalarText(node, reading, kind, expected);
      if (text == null) {
        return null;
      }
      String wrong = complaint.about(text, node.kindName());
      if (wrong != null) {
        reading.error(rule, node, wrong);
        return null;
      }
      return text;
    }

    @Override
    public Object write(String value) {
      return value;
    }

    @Override
    public Map<String, Object> schema(SchemaBuilder schemas) {
      return schema;
    }
  }

  /** Says what is wrong with a text that was found as this, or null. */
  interface Complaint {
    @Nullable String about(String text, String found);
  }
}
