package dev.berth.decisions;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/**
 * The times of a cron expression, in UTC. A time has to match all five fields, also where both day
 * and weekday are written, as it is with dstack; weekdays count from Monday = 0.
 */
final class Cron {
  /**
   * After so many days without a match there is none: leap days come at least every eight years.
   */
  private static final int LONGEST_GAP = 366 * 9;

  private static final List<String> MONTHS =
      List.of("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec");
  private static final List<String> WEEKDAYS =
      List.of("mon", "tue", "wed", "thu", "fri", "sat", "sun");

  private final BitSet minutes;
  private final BitSet hours;
  private final BitSet days;
  private final BitSet months;
  private final BitSet weekdays;

  /** Reads an expression that the grammar has accepted. */
  Cron(String expression) {
    String[] fields = expression.strip().toLowerCase(Locale.ROOT).split("\\s+", -1);
    if (fields.length != 5) {
      throw new IllegalArgumentException("a cron expression has 5 fields: " + expression);
    }
    minutes = values(fields[0], 0, 59, List.of());
    hours = values(fields[1], 0, 23, List.of());
    days = values(fields[2], 1, 31, List.of());
    months = values(fields[3], 1, 12, MONTHS);
    weekdays = values(fields[4], 0, 6, WEEKDAYS);
  }

  /**
   * The first time after a moment that any of the expressions names; empty where none ever does.
   */
  static Optional<Instant> next(List<String> expressions, Instant after) {
    return expressions.stream()
        .map(expression -> new Cron(expression).next(after))
        .flatMap(Optional::stream)
        .min(Instant::compareTo);
  }

  private static BitSet values(String field, int min, int max, List<String> words) {
    BitSet values = new BitSet(max + 1);
    for (String item : field.split(",", -1)) {
      int slash = item.indexOf('/');
      int step = slash < 0 ? 1 : Integer.parseInt(item.substring(slash + 1));
      String range = slash < 0 ? item : item.substring(0, slash);
      int dash = range.indexOf('-');
      int first =
          range.equals("*") ? min : value(dash < 0 ? range : range.substring(0, dash), min, words);
      int last =
          dash >= 0
              ? value(range.substring(dash + 1), min, words)
              : range.equals("*") || slash >= 0 ? max : first;
      for (int value = first; value <= last; value += step) {
        values.set(value);
      }
    }
    return values;
  }

  private static int value(String word, int min, List<String> words) {
    int index = words.indexOf(word);
    return index < 0 ? Integer.parseInt(word) : index + min;
  }

  private Optional<Instant> next(Instant after) {
    LocalDateTime from =
        LocalDateTime.ofInstant(after, ZoneOffset.UTC).withSecond(0).withNano(0).plusMinutes(1);
    int earliest = from.getHour() * 60 + from.getMinute();
    LocalDate day = from.toLocalDate();
    for (int i = 0; i < LONGEST_GAP; i++) {
      if (isOn(day)) {
        int minute = firstFrom(i == 0 ? earliest : 0);
        if (minute >= 0) {
          return Optional.of(
              Objects.requireNonNull(day.atTime(minute / 60, minute % 60))
                  .toInstant(ZoneOffset.UTC));
        }
      }
      day = day.plusDays(1);
    }
    return Optional.empty();
  }

  private boolean isOn(LocalDate day) {
    return months.get(day.getMonthValue())
        && days.get(day.getDayOfMonth())
        && weekdays.get(day.getDayOfWeek().getValue() - 1);
  }

  /** The first minute of a day, not before one; -1 for none. */
  private int firstFrom(int earliest) {
    for (int hour = hours.nextSetBit(earliest / 60); hour >= 0; hour = hours.nextSetBit(hour + 1)) {
      int minute = minutes.nextSetBit(hour == earliest / 60 ? earliest % 60 : 0);
      if (minute >= 0) {
        return hour * 60 + minute;
      }
    }
    return -1;
  }
}
