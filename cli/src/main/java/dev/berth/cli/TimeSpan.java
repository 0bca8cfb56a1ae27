package dev.berth.cli;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How long something lasts, as people type it. */
final class TimeSpan {
  private static final Pattern FORM = Pattern.compile("([0-9]{1,9})([smhdw])");
  private static final Map<String, Long> SECONDS =
      Map.of("s", 1L, "m", 60L, "h", 3_600L, "d", 86_400L, "w", 604_800L);

  private TimeSpan() {}

  /** The seconds of a number with its unit; anything else is a wrong command line. */
  static long seconds(String option, String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new CommandFailure(
          ExitCode.USAGE,
          option
              + " expects a number followed by s, m, h, d or w, such as 30d, not '"
              + text
              + "'");
    }
    return Long.parseLong(matcher.group(1)) * SECONDS.getOrDefault(matcher.group(2), 1L);
  }
}
