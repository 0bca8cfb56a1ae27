package dev.berth.catalog.places;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** In which country a region is. */
public final class Countries {
  private static final Set<String> ISO = Set.of(Locale.getISOCountries());

  /** {@code EU-RO-1}, {@code US-TX-3}: a data centre, by part of the world or country and more. */
  private static final Pattern DATA_CENTRE = Pattern.compile("([A-Z]{2,3})-([A-Z]{2,3})-[0-9]+");

  /** {@code Denmark, DK, EU}. */
  private static final Pattern NAME_COUNTRY_CONTINENT =
      Pattern.compile("[^,]*, *([A-Z]{2}), *[A-Z]{2}");

  private static final Pattern WORDS = Pattern.compile("[^a-z]+");

  /** Key: the provider, or {@code *} for any, a blank, and the region or the word in it. */
  private static final Map<String, String> TABLE = read();

  private Countries() {}

  /** Two letters, as in ISO 3166; empty where it is not known. */
  public static Optional<String> of(String provider, String region) {
    String place = region.strip().toLowerCase(Locale.ROOT);
    for (String name : Providers.same(provider)) {
      @Nullable String listed = TABLE.get(name + " " + place);
      if (listed != null) {
        return Optional.of(listed);
      }
    }
    return Optional.ofNullable(TABLE.get("* " + place))
        .or(() -> patterned(region.strip()))
        .or(() -> firstWord(place));
  }

  private static Optional<String> patterned(String region) {
    if (region.length() == 2) {
      return country(region.toUpperCase(Locale.ROOT));
    }
    Matcher named = NAME_COUNTRY_CONTINENT.matcher(region);
    if (named.matches()) {
      return country(named.group(1));
    }
    Matcher centre = DATA_CENTRE.matcher(region);
    if (centre.matches()) {
      String first = centre.group(1);
      return first.equals("US") || first.equals("CA")
          ? Optional.of(first)
          : country(centre.group(2));
    }
    return Optional.empty();
  }

  private static Optional<String> country(String code) {
    String iso = code.equals("UK") ? "GB" : code;
    return ISO.contains(iso) ? Optional.of(iso) : Optional.empty();
  }

  /** The name of a country in the region's, or what it begins with. */
  private static Optional<String> firstWord(String place) {
    String[] words = WORDS.split(place);
    for (int i = 0; i < words.length; i++) {
      @Nullable String word = TABLE.get((i == 0 ? "^ " : "~ ") + words[i]);
      if (word == null && i == 0) {
        word = TABLE.get("~ " + words[i]);
      }
      if (word != null) {
        return Optional.of(word);
      }
    }
    return Optional.empty();
  }

  private static Map<String, String> read() {
    Map<String, String> table = new HashMap<>();
    try (InputStream in = Countries.class.getResourceAsStream("countries.txt");
        BufferedReader lines =
            new BufferedReader(
                new InputStreamReader(Objects.requireNonNull(in), StandardCharsets.UTF_8))) {
      for (String line : lines.lines().toList()) {
        if (line.isBlank() || line.startsWith("#")) {
          continue;
        }
        String[] parts = line.split("\\s+");
        for (int i = 2; i < parts.length; i++) {
          table.put(parts[0] + " " + parts[i].replace('_', ' '), parts[1]);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Map.copyOf(table);
  }
}
