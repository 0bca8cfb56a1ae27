package dev.berth.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** How results are written: aligned lines for people, JSON for programs. */
final class Report {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();
  private static final String NONE = "-";

  private Report() {}

  /** One line of five words; columns have fixed widths, so that a line can be shown at once. */
  static String line(Result result) {
    return "%-20s %10s %-8s %-24s %s"
        .formatted(
            result.figure().name(),
            number(result.value()),
            result.figure().unit(),
            result.figure().peer() == null
                ? NONE
                : result.figure().peer() + "=" + number(result.peerValue()),
            number(result.ratio()));
  }

  static String json(List<Result> results) {
    return MAPPER
        .writerWithDefaultPrettyPrinter()
        .writeValueAsString(Map.of("benchmarks", results.stream().map(Report::tree).toList()));
  }

  private static Map<String, @Nullable Object> tree(Result result) {
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    tree.put("name", result.figure().name());
    tree.put("value", rounded(result.value()));
    tree.put("unit", result.figure().unit());
    tree.put("peer", result.figure().peer());
    tree.put("peer_value", rounded(result.peerValue()));
    tree.put("ratio", rounded(result.ratio()));
    return tree;
  }

  private static @Nullable Double rounded(@Nullable Double value) {
    return value == null ? null : Math.round(value * 1000) / 1000.0;
  }

  /** As many digits as mean something: three or so. */
  private static String number(@Nullable Double value) {
    if (value == null) {
      return NONE;
    }
    int decimals = value >= 100 ? 0 : value >= 10 ? 1 : value >= 0.1 ? 2 : 4;
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }
}
