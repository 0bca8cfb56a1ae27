package dev.berth.grammar;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
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
  static final Shape<String> PYTHON = new PythonVersion();
  static final Shape<String> USER =
      new Checked(
          Rule.USER_SYNTAX,
          "(?!-[0-9]+(:|$))[^:]+(:(?!-[0-9]+$)[^:]+)?",
          "a user such as ubuntu, 1000 or ubuntu:staff",
          Words::namesUser);
  static final Shape<String> SHELL =
      new Checked(
          Rule.SHELL_SYNTAX,
          "sh|bash|/.*",
          "sh, bash or an absolute path such as /usr/bin/zsh",
          text -> text.equals("sh") || text.equals("bash") || text.startsWith("/"));
  static final Shape<String> CRON = new CronShape();
  static final Shape<String> PROBE_URL =
      new Checked(
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
    return new Checked(Rule.TEXT_PATTERN, regex, expected, text -> pattern.matcher(text).matches());
  }

  static Shape<String> length(int min, int max) {
    String expected =
        max == Integer.MAX_VALUE
            ? "text of at least " + min + " character(s)"
            : "text of " + min + " to " + max + " characters";
    String upper = max == Integer.MAX_VALUE ? "" : String.valueOf(max);
    return new Checked(
        Rule.TEXT_LENGTH,
        "[\\s\\S]{" + min + "," + upper + "}",
        expected,
        text -> text.length() >= min && text.length() <= max);
  }

  /** A text that can only be one of a few fixed words. */
  static Shape<String> fixed(String... words) {
    List<String> known = List.of(words);
    return new Checked(
        Rule.EXPECTED_CHOICE, String.join("|", known), Text.alternatives(known), known::contains);
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

  interface Test {
    boolean accepts(String text);
  }

  private record Checked(Rule rule, String regex, String expected, Test test)
      implements Shape<String> {
    @Override
    public @Nullable String read(Node node, Reading reading) {
      String text = Scalars.scalarText(node, reading, Rule.EXPECTED_TEXT, expected);
      if (text == null) {
        return null;
      }
      if (!test.accepts(text)) {
        reading.error(rule, node, "expected " + expected + ", found " + node.kindName());
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
      return Map.of(
          "type", List.of("string", "number", "boolean"), "pattern", "^(?:" + regex + ")$");
    }
  }

  /** A Python version; 3.10 is what was written, whatever number YAML makes of it. */
  private static final class PythonVersion implements Shape<String> {
    private static final List<String> VERSIONS =
        List.of("3.9", "3.10", "3.11", "3.12", "3.13", "3.14");

    @Override
    public @Nullable String read(Node node, Reading reading) {
      String expected = "a Python version: " + Text.alternatives(VERSIONS);
      String text = Scalars.scalarText(node, reading, Rule.EXPECTED_CHOICE, expected);
      if (text == null) {
        return null;
      }
      if (!VERSIONS.contains(text)) {
        reading.error(
            Rule.EXPECTED_CHOICE, node, "expected " + expected + ", found " + node.kindName());
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
      // An editor's YAML parser turns 3.10 into the number 3.1.
      return Map.of(
          "enum",
          List.of("3.9", "3.10", "3.11", "3.12", "3.13", "3.14", 3.9, 3.1, 3.11, 3.12, 3.13, 3.14));
    }
  }

  private static final class CronShape implements Shape<String> {
    @Override
    public @Nullable String read(Node node, Reading reading) {
      String text = Scalars.scalarText(node, reading, Rule.CRON_SYNTAX, "a cron expression");
      if (text == null) {
        return null;
      }
      String complaint = CronSyntax.complaint(text);
      if (complaint != null) {
        reading.error(Rule.CRON_SYNTAX, node, complaint);
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
      return SchemaBuilder.text(CronSyntax.pattern());
    }
  }
}
