package dev.berth.grammar;

import dev.berth.model.config.ServerConfiguration.Catalog;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Where prices come from while no catalog is imported. */
final class CatalogSettings {
  private static final String OFF = "off";
  private static final String REFRESH = "refresh";
  private static final String ADDRESS = "https?://[^\\s?#@]+";
  private static final Duration SOONEST = Duration.ofHours(1);
  private static final Duration LATEST = Duration.ofDays(365);

  private static final Shape<String> URL =
      Words.pattern(
          OFF + "|" + ADDRESS,
          "off, or an address such as https://mirror.example.com/v3, without user and query");

  private static final RecordShape<Catalog> MAPPING =
      RecordShape.of(Catalog.class)
          .with(
              new Field<>("url", URL, "the root of a mirror in gpuhunt's layout, or off")
                  .nullable())
          .with(
              new Field<>(REFRESH, Durations.DURATION, "how old the catalog may become").nullable())
          .check(
              List.of(REFRESH),
              (value, findings) -> {
                Duration refresh = value.refresh();
                if (refresh != null
                    && (refresh.compareTo(SOONEST) < 0 || refresh.compareTo(LATEST) > 0)) {
                  findings.error(
                      Rule.CATALOG_REFRESH,
                      REFRESH,
                      "a catalog is refreshed after 1h to 365d; the default is 1d");
                }
              });

  /** {@code off}, an address, or a mapping. */
  static final Shape<Catalog> CATALOG =
      new Shorthands.OneLine<>(
          MAPPING,
          // An editor's YAML parser turns off into false.
          SchemaBuilder.anyOf(
              List.of(
                  Map.of("const", false), SchemaBuilder.text("^(?:off|false|" + ADDRESS + ")$"))),
          (text, node, reading) -> line(text, node, reading));

  private CatalogSettings() {}

  private static @Nullable Catalog line(String text, Node node, Reading reading) {
    if (text.equals("false")) {
      return new Catalog(OFF, null);
    }
    String url = URL.read(node, reading);
    return url == null ? null : new Catalog(url, null);
  }
}
