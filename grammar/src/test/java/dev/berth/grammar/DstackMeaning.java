package dev.berth.grammar;

import dev.berth.grammar.ConfigurationReader.Defaults;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Compares two readings of one file field by field. dstack fills in some defaults when it reads a
 * file and others later, so a field agrees where it is what Berth reads with or without defaults.
 */
final class DstackMeaning {
  private static final List<String> OFF_WHERE_NULL =
      List.of("max_duration", "stop_duration", "idle_duration", "auto_cleanup_duration", "retry");

  /** The backend's plug-in judges these and fills in their defaults. */
  private static final Pattern OF_BACKENDS = Pattern.compile("projects\\[\\d+\\]\\.backends\\[.*");

  private final List<String> found = new ArrayList<>();

  private DstackMeaning() {}

  /** One line for each field whose values differ. */
  static List<String> differences(String file, Map<?, ?> dstack) {
    DstackMeaning comparison = new DstackMeaning();
    comparison.compare("", read(file, Defaults.AS_WRITTEN), read(file, Defaults.FILLED), dstack);
    return comparison.found;
  }

  private static Map<?, ?> read(String file, Defaults defaults) {
    byte[] bytes = file.getBytes(StandardCharsets.UTF_8);
    return ConfigurationReader.normalise(
        ConfigurationReader.read(bytes, defaults).configuration().orElseThrow());
  }

  private void compare(
      String path, @Nullable Object written, @Nullable Object filled, @Nullable Object dstack) {
    if (OF_BACKENDS.matcher(path).matches() || isSame(written, dstack) || isSame(filled, dstack)) {
      return;
    }
    if (filled instanceof Map<?, ?> ours && dstack instanceof Map<?, ?> theirs) {
      compareEntries(path, written instanceof Map<?, ?> map ? map : ours, ours, theirs);
    } else if (filled instanceof List<?> ours
        && dstack instanceof List<?> theirs
        && ours.size() == theirs.size()) {
      List<?> asWritten = written instanceof List<?> list ? list : ours;
      for (int i = 0; i < ours.size(); i++) {
        compare(path + "[" + i + "]", asWritten.get(i), ours.get(i), theirs.get(i));
      }
    } else {
      found.add(path + ": dstack has " + dstack + ", Berth has " + filled);
    }
  }

  private void compareEntries(String path, Map<?, ?> written, Map<?, ?> ours, Map<?, ?> theirs) {
    String prefix = path.isEmpty() ? "" : path + ".";
    for (Object key : theirs.keySet()) {
      compare(prefix + key, value(written, key), value(ours, key), theirs.get(key));
    }
    for (Object key : written.keySet()) {
      if (!theirs.containsKey(key) && !isNothing(written.get(key))) {
        found.add(prefix + key + ": dstack has none, Berth has " + written.get(key));
      }
    }
  }

  private static @Nullable Object value(Map<?, ?> map, Object key) {
    boolean off =
        map.containsKey(key)
            && map.get(key) == null
            && OFF_WHERE_NULL.contains(String.valueOf(key));
    return off ? "off" : map.get(key);
  }

  private static boolean isSame(@Nullable Object berth, @Nullable Object dstack) {
    if (berth instanceof Number ours && dstack instanceof Number theirs) {
      return ours.doubleValue() == theirs.doubleValue();
    }
    return Objects.equals(berth, dstack);
  }

  private static boolean isNothing(@Nullable Object value) {
    return value == null
        || (value instanceof List<?> list && list.isEmpty())
        || (value instanceof Map<?, ?> map && map.isEmpty());
  }
}
