package dev.berth.catalog.read;

import dev.berth.catalog.CatalogException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The names that publishers give to the states of their catalogs. */
final class Versions {
  private static final Pattern DATED = Pattern.compile("([0-9]{4})([0-9]{2})([0-9]{2})(?:-.*)?");

  private static final Pattern NUMBER = Pattern.compile("-([0-9]{1,18})$");

  /** It becomes a part of paths and addresses. */
  private static final Pattern TAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

  /** By date and number, so that 20260822-10 comes after 20260822-9. */
  static final Comparator<String> OLDEST_FIRST =
      Comparator.comparing((String version) -> version.split("-", 2)[0])
          .thenComparingLong(Versions::number)
          .thenComparing(Comparator.naturalOrder());

  private Versions() {}

  private static long number(String version) {
    Matcher number = NUMBER.matcher(version);
    return number.find() ? Long.parseLong(number.group(1)) : -1;
  }

  /**
   * Checks what stands in a file named version.
   *
   * @param where for the message
   */
  static String require(String text, String where) {
    String version = text.strip();
    if (!TAME.matcher(version).matches()) {
      throw new CatalogException(
          where + ": A version such as 20260822-1 is expected, not what stands there.");
    }
    return version;
  }

  /** The start of the day that a version such as {@code 20260822-1} names. */
  static Optional<Instant> date(String version) {
    Matcher dated = DATED.matcher(version);
    if (!dated.matches()) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          LocalDate.of(
                  Integer.parseInt(dated.group(1)),
                  Integer.parseInt(dated.group(2)),
                  Integer.parseInt(dated.group(3)))
              .atStartOfDay(ZoneOffset.UTC)
              .toInstant());
    } catch (DateTimeException noSuchDay) {
      return Optional.empty();
    }
  }
}
