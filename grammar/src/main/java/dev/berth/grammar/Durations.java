package dev.berth.grammar;

import dev.berth.model.config.TimeLimit;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Durations: {@code 30s}, {@code 5m}, {@code 2h}, {@code 3d}, {@code 1w}, or a bare number of
 * seconds. Normalised to whole seconds.
 */
final class Durations {
  static final Shape<Duration> DURATION = new DurationShape();

  /** A limit that is off when negative, as older files write it; otherwise like {@link #LIMIT}. */
  static final Shape<TimeLimit> IDLE_LIMIT = new LimitShape(true);

  /** A limit: a duration, {@code off} or false for none, true for the default. */
  static final Shape<TimeLimit> LIMIT = new LimitShape(false);

  private static final Pattern SYNTAX = Pattern.compile("\\s*([0-9]{1,12})\\s*([smhdw])\\s*");
  private static final String EXPECTED = "a duration such as 30s, 5m, 2h, 3d or 1w";

  private Durations() {}

  private static @Nullable Duration parse(String text) {
    Long seconds = Scalars.parseInteger(text);
    if (seconds != null) {
      return Math.abs(seconds) > Integer.MAX_VALUE * 1000L ? null : Duration.ofSeconds(seconds);
    }
    Double fraction = Scalars.parseNumber(text);
    if (fraction != null) {
      return Math.abs(fraction) > Integer.MAX_VALUE * 1000.0
          ? null
          : Duration.ofSeconds(fraction.longValue());
    }
    Matcher matcher = SYNTAX.matcher(text);
    if (!matcher.matches()) {
      return null;
    }
    long amount = Long.parseLong(matcher.group(1));
    int unit =
        switch (matcher.group(2)) {
          case "s" -> 1;
          case "m" -> 60;
          case "h" -> 3600;
          case "d" -> 24 * 3600;
          default -> 7 * 24 * 3600;
        };
    return amount > Integer.MAX_VALUE * 1000L / unit ? null : Duration.ofSeconds(amount * unit);
  }

  private static @Nullable Duration read(Node node, Reading reading, String expected) {
    String text = Scalars.scalarText(node, reading, Rule.DURATION_SYNTAX, expected);
    if (text == null) {
      return null;
    }
    Duration duration = parse(text);
    if (duration == null) {
      String hint =
          text.matches("\\s*([0-9]{1,9}\\s{0,9}[smhdw]\\s{0,9}){2,5}")
              ? "; write it in one unit, such as 90m for 1h30m"
              : "";
      reading.error(
          Rule.DURATION_SYNTAX, node, "expected " + expected + ", found " + node.kindName() + hint);
    }
    return duration;
  }

  private static final class DurationShape implements Shape<Duration> {
    @Override
    public @Nullable Duration read(Node node, Reading reading) {
      Duration duration = Durations.read(node, reading, EXPECTED);
      if (duration != null && duration.isNegative()) {
        reading.error(Rule.DURATION_NEGATIVE, node, "a duration cannot be negative");
        return null;
      }
      return duration;
    }

    @Override
    public Object write(Duration value) {
      return value.toSeconds();
    }

    @Override
    public Map<String, Object> schema(SchemaBuilder schemas) {
      return SchemaBuilder.anyOf(
          List.of(
              Map.of("type", "number", "minimum", 0),
              SchemaBuilder.text("^(" + SYNTAX + "|\\s*[0-9]+\\s*)$")));
    }
  }

  private record LimitShape(boolean negativeIsOff) implements Shape<TimeLimit> {
    @Override
    public @Nullable TimeLimit read(Node node, Reading reading) {
      if (node instanceof Node.Scalar scalar && !reading.isNormal()) {
        Boolean flag = scalar.text().matches("[01]") ? null : Scalars.parseBoolean(scalar.text());
        if (flag != null) {
          // 'true' asks for the default, which is what an unwritten field gets.
          return flag ? null : TimeLimit.OFF;
        }
      }
      Duration duration = Durations.read(node, reading, EXPECTED + ", or off");
      if (duration == null) {
        return null;
      }
      if (duration.isNegative()) {
        if (negativeIsOff) {
          return TimeLimit.OFF;
        }
        reading.error(
            Rule.DURATION_NEGATIVE, node, "a duration cannot be negative; write off for no limit");
        return null;
      }
      return TimeLimit.of(duration);
    }

    @Override
    public @Nullable Object write(TimeLimit value) {
      Duration duration = value.duration();
      return duration == null ? null : duration.toSeconds();
    }

    @Override
    public boolean writesNullForOff() {
      return true;
    }

    @Override
    public TimeLimit off() {
      return TimeLimit.OFF;
    }

    @Override
    public Map<String, Object> schema(SchemaBuilder schemas) {
      Map<String, Object> number =
          negativeIsOff ? Map.of("type", "number") : Map.of("type", "number", "minimum", 0);
      return SchemaBuilder.anyOf(
          List.of(
              number,
              Map.of("type", "boolean"),
              SchemaBuilder.text(
                  "^(off|Off|OFF|no|No|NO|on|On|ON|yes|Yes|YES|"
                      + SYNTAX
                      + "|\\s*-?[0-9]+\\s*)$")));
    }
  }
}
