package dev.berth.client.files;

import java.util.Optional;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * One line of an ignore file, with git's meaning.
 *
 * @param negated whether it takes back what a line before said
 * @param foldersOnly whether it is about folders only
 */
record IgnorePattern(Pattern pattern, boolean negated, boolean foldersOnly) {
  /** Reads a line; empty for comments and empty ones. */
  static Optional<IgnorePattern> parse(String line) {
    String text = withoutTrailingSpaces(line);
    if (text.isEmpty() || text.startsWith("#")) {
      return Optional.empty();
    }
    boolean negated = text.startsWith("!");
    text = negated ? text.substring(1) : text;
    boolean foldersOnly = text.endsWith("/");
    text = foldersOnly ? text.substring(0, text.length() - 1) : text;
    if (text.isEmpty()) {
      return Optional.empty();
    }
    boolean anchored = text.contains("/");
    text = text.startsWith("/") ? text.substring(1) : text;
    String expression = (anchored ? "" : "(?:.*/)?") + expression(text);
    try {
      return Optional.of(new IgnorePattern(Pattern.compile(expression), negated, foldersOnly));
    } catch (PatternSyntaxException e) {
      // As for git, a pattern that means nothing matches nothing.
      return Optional.empty();
    }
  }

  private static String withoutTrailingSpaces(String line) {
    int end = line.length();
    while (end > 0 && line.charAt(end - 1) == ' ' && !(end > 1 && line.charAt(end - 2) == '\\')) {
      end--;
    }
    return line.substring(0, end);
  }

  private static String expression(String glob) {
    StringBuilder out = new StringBuilder();
    int i = 0;
    while (i < glob.length()) {
      char c = glob.charAt(i);
      if (glob.startsWith("**/", i) && (i == 0 || glob.charAt(i - 1) == '/')) {
        out.append("(?:.*/)?");
        i += 3;
      } else if (glob.startsWith("/**", i) && i + 3 == glob.length()) {
        out.append("/.+");
        i += 3;
      } else if (c == '*') {
        out.append("[^/]*");
        i += glob.startsWith("**", i) ? 2 : 1;
      } else if (c == '?') {
        out.append("[^/]");
        i++;
      } else if (c == '[' && glob.indexOf(']', i + 2) > 0) {
        int end = glob.indexOf(']', i + 2);
        String inside = glob.substring(i + 1, end).replace("\\", "\\\\").replace("[", "\\[");
        out.append('[')
            .append(inside.startsWith("!") ? "^" + inside.substring(1) : inside)
            .append("&&[^/]]");
        i = end + 1;
      } else if (c == '\\' && i + 1 < glob.length()) {
        out.append(Pattern.quote(glob.substring(i + 1, i + 2)));
        i += 2;
      } else {
        out.append(Pattern.quote(String.valueOf(c)));
        i++;
      }
    }
    return out.toString();
  }

  /** Whether it is about a path, given from the folder of the ignore file. */
  boolean matches(String path, boolean folder) {
    return (folder || !foldersOnly) && pattern.matcher(path).matches();
  }
}
