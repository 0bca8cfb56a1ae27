package dev.berth.grammar;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Cron expressions of five fields: minute, hour, day, month, weekday. Weekdays count from Monday =
 * 0, and weekdays and months have names.
 */
final class CronSyntax {
  private static final Pattern ITEM =
      Pattern.compile("(\\*|([0-9]{1,4}|[a-z]{3})(-([0-9]{1,4}|[a-z]{3}))?)(/([0-9]{1,4}))?");
  private static final List<String> MONTHS =
      List.of("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec");
  private static final List<String> WEEKDAYS =
      List.of("mon", "tue", "wed", "thu", "fri", "sat", "sun");
  private static final List<FieldRule> FIELDS =
      List.of(
          new FieldRule("minute", 0, 59, List.of()),
          new FieldRule("hour", 0, 23, List.of()),
          new FieldRule("day", 1, 31, List.of()),
          new FieldRule("month", 1, 12, MONTHS),
          new FieldRule("weekday", 0, 6, WEEKDAYS));

  private record FieldRule(String name, int min, int max, List<String> words) {
    /** The number that a word or digits stand for, or -1. */
    int value(String text) {
      if (Character.isDigit(text.charAt(0))) {
        return Integer.parseInt(text);
      }
      int index = words.indexOf(text);
      return index < 0 ? -1 : index + min;
    }
  }

  private CronSyntax() {}

  /** The syntax as one regular expression; that ranges do not run backwards is beyond it. */
  static String pattern() {
    return "^\\s*"
        + String.join("\\s+", FIELDS.stream().map(CronSyntax::pattern).toList())
        + "\\s*$";
  }

  private static String pattern(FieldRule field) {
    List<String> values = new ArrayList<>();
    for (int value = field.min(); value <= field.max(); value++) {
      values.add(String.valueOf(value));
    }
    field.words().forEach(word -> values.add(anyCase(word)));
    String value = "(0{0,2}(" + String.join("|", values) + "))";
    String item = "(\\*|" + value + "(-" + value + ")?)(/0{0,3}[1-9][0-9]{0,3})?";
    return item + "(," + item + ")*";
  }

  private static String anyCase(String word) {
    StringBuilder pattern = new StringBuilder();
    word.chars()
        .forEach(
            c ->
                pattern
                    .append('[')
                    .append((char) c)
                    .append((char) Character.toUpperCase(c))
                    .append(']'));
    return pattern.toString();
  }

  /** What is wrong with the expression, or null. */
  static @Nullable String complaint(String expression) {
    String[] parts = expression.strip().toLowerCase(Locale.ROOT).split("\\s+", 20);
    if (parts.length != FIELDS.size()) {
      return "a cron expression has 5 fields (minute hour day month weekday), found "
          + (expression.isBlank() ? 0 : parts.length);
    }
    for (int i = 0; i < parts.length; i++) {
      for (String item : parts[i].split(",", 1_000)) {
        String complaint = complaint(item, FIELDS.get(i));
        if (complaint != null) {
          return complaint;
        }
      }
    }
    return null;
  }

  private static @Nullable String complaint(String item, FieldRule field) {
    Matcher matcher = ITEM.matcher(item);
    String bounds =
        field.min()
            + " to "
            + field.max()
            + (field.words().isEmpty()
                ? ""
                : " or " + field.words().getFirst() + " to " + field.words().getLast());
    if (!matcher.matches()) {
      return "'"
          + Text.abbreviate(item)
          + "' is not a "
          + field.name()
          + "; expected "
          + bounds
          + ", a range such as 1-5, a step such as */5, or *";
    }
    if (matcher.group(6) != null && Integer.parseInt(matcher.group(6)) == 0) {
      return "the step of '" + item + "' is zero";
    }
    int step = matcher.group(6) == null ? 1 : Integer.parseInt(matcher.group(6));
    if (matcher.group(2) == null) {
      return tooLong(item, step, field.min(), field.max());
    }
    int first = field.value(matcher.group(2));
    int last = matcher.group(4) == null ? first : field.value(matcher.group(4));
    if (first < field.min() || last < field.min() || first > field.max() || last > field.max()) {
      String hint =
          field.name().equals("weekday") ? " (Monday is 0 and Sunday is 6; names are clearer)" : "";
      return "'"
          + Text.abbreviate(item)
          + "' is out of bounds for the "
          + field.name()
          + "; expected "
          + bounds
          + hint;
    }
    if (first > last) {
      return "the range '" + item + "' runs backwards";
    }
    return tooLong(item, step, first, matcher.group(4) == null ? field.max() : last);
  }

  /** A step beyond the end of its range would never be taken. */
  private static @Nullable String tooLong(String item, int step, int first, int last) {
    return step > 1 && step > last - first
        ? "the step of '" + item + "' is longer than its range, " + first + " to " + last
        : null;
  }
}
