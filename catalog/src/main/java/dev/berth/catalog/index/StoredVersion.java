package dev.berth.catalog.index;

import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A snapshot file of a store, named by when it was put there.
 *
 * @param number tells those of one millisecond apart
 */
public record StoredVersion(Path file, Instant storedAt, int number) {
  static final Comparator<StoredVersion> NEWEST_FIRST =
      Comparator.comparing(StoredVersion::storedAt)
          .thenComparingInt(StoredVersion::number)
          .reversed();

  private static final Pattern NAME = Pattern.compile("(\\d{8}T\\d{9}Z)-(\\d{1,9})\\.offers");
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmssSSS'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  static StoredVersion in(Path folder, Instant storedAt, int number) {
    String name = TIME.format(storedAt) + "-" + number + ".offers";
    return new StoredVersion(folder.resolve(name), storedAt, number);
  }

  /** What the name of a file says, if it is one of ours. */
  static Optional<StoredVersion> of(Path file) {
    Matcher name = NAME.matcher(String.valueOf(file.getFileName()));
    if (!name.matches()) {
      return Optional.empty();
    }
    try {
      Instant storedAt = TIME.parse(name.group(1), Instant::from);
      return Optional.of(new StoredVersion(file, storedAt, Integer.parseInt(name.group(2))));
    } catch (DateTimeParseException _) {
      // Digits in the right places, but no time: somebody else's file.
      return Optional.empty();
    }
  }
}
