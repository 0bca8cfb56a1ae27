package dev.berth.backends.local;

import dev.berth.spi.BackendException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What an administrator may say about this machine; null parts are taken from the machine.
 *
 * @param slots how many jobs may run at once
 * @param gpus how many of the accelerators are offered, the first ones
 */
record LocalSettings(
    int slots,
    @Nullable Integer cpus,
    @Nullable Long memoryMib,
    @Nullable Long diskMib,
    @Nullable Integer gpus) {
  static final int DEFAULT_SLOTS = 32;

  private static final Pattern SIZE =
      Pattern.compile("([0-9]{1,9}(?:\\.[0-9]{1,6})?)\\s*([mgt])i?b", Pattern.CASE_INSENSITIVE);

  /**
   * Reads settings as they stand in a configuration file.
   *
   * @throws BackendException REFUSED, with everything that is wrong in one message
   */
  static LocalSettings read(Map<String, ?> settings) {
    List<String> problems = new ArrayList<>();
    // The key that chose this backend may still be there.
    refuseUnknown(settings, Set.of("type", "slots", "capacity"), "", problems);
    Integer slots = count(settings.get("slots"), "slots", 1, problems);
    Map<?, ?> capacity = section(settings.get("capacity"), problems);
    refuseUnknown(capacity, Set.of("cpus", "memory", "disk", "gpus"), "capacity.", problems);
    LocalSettings read =
        new LocalSettings(
            slots == null ? DEFAULT_SLOTS : slots,
            count(capacity.get("cpus"), "capacity.cpus", 1, problems),
            mib(capacity.get("memory"), "capacity.memory", problems),
            mib(capacity.get("disk"), "capacity.disk", problems),
            count(capacity.get("gpus"), "capacity.gpus", 0, problems));
    if (!problems.isEmpty()) {
      throw new BackendException(
          BackendException.Kind.REFUSED,
          "the settings of the local backend are wrong: " + String.join("; ", problems),
          null);
    }
    return read;
  }

  private static void refuseUnknown(
      Map<?, ?> section, Set<String> known, String prefix, List<String> problems) {
    for (Object key : section.keySet()) {
      if (!known.contains(String.valueOf(key))) {
        problems.add(
            "'%s%s' is not known here; known are %s"
                .formatted(prefix, key, String.join(", ", new TreeSet<>(known))));
      }
    }
  }

  private static Map<?, ?> section(@Nullable Object value, List<String> problems) {
    if (value == null) {
      return Map.of();
    }
    if (value instanceof Map<?, ?> map) {
      return map;
    }
    problems.add("'capacity' must contain cpus, memory, disk or gpus, not " + shown(value));
    return Map.of();
  }

  private static @Nullable Integer count(
      @Nullable Object value, String key, int least, List<String> problems) {
    if (value == null) {
      return null;
    }
    if ((value instanceof Integer || value instanceof Long)
        && ((Number) value).longValue() >= least
        && ((Number) value).longValue() <= Integer.MAX_VALUE) {
      return ((Number) value).intValue();
    }
    problems.add(
        "'%s' must be a whole number from %d on, not %s".formatted(key, least, shown(value)));
    return null;
  }

  private static @Nullable Long mib(@Nullable Object value, String key, List<String> problems) {
    if (value == null) {
      return null;
    }
    if (value instanceof Integer || value instanceof Long) {
      long mib = ((Number) value).longValue();
      if (mib > 0) {
        return mib;
      }
    } else if (value instanceof String text) {
      Matcher size = SIZE.matcher(text.strip());
      if (size.matches()) {
        long unit =
            switch (size.group(2).toLowerCase(Locale.ROOT)) {
              case "m" -> 1;
              case "g" -> 1024;
              default -> 1024 * 1024;
            };
        long mib =
            new BigDecimal(size.group(1))
                .multiply(BigDecimal.valueOf(unit))
                .setScale(0, RoundingMode.HALF_UP)
                .longValueExact();
        if (mib > 0) {
          return mib;
        }
      }
    }
    problems.add(
        "'%s' must be a size such as 512MB, 16GB or 1.5TB, or a number of MiB, not %s"
            .formatted(key, shown(value)));
    return null;
  }

  private static String shown(Object value) {
    return value instanceof String text ? "'" + text + "'" : String.valueOf(value);
  }
}
