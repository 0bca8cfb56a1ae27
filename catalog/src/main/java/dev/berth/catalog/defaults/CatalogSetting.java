package dev.berth.catalog.defaults;

import dev.berth.catalog.CatalogException;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where the default catalog comes from.
 *
 * @param address the root of a mirror in gpuhunt's v3 layout; null where the default catalog is off
 * @param refreshAfter how old a copy may become before it is fetched again
 */
public record CatalogSetting(@Nullable String address, Duration refreshAfter) {
  /** Overrides what the server's file says: {@code off}, or an address. */
  public static final String VARIABLE = "BERTH_CATALOG";

  /** Turns the default catalog off. */
  public static final String OFF = "off";

  /** The address that gpuhunt itself reads. */
  public static final String GPUHUNT = "https://dstack-gpu-pricing.s3.eu-west-1.amazonaws.com/v3";

  public static final Duration USUAL_REFRESH = Duration.ofDays(1);

  private static final Pattern ADDRESS = Pattern.compile("https?://[^\\s?#@]+");

  public CatalogSetting {
    address = address == null ? null : address.replaceFirst("/+$", "");
    if (!refreshAfter.isPositive()) {
      throw new IllegalArgumentException("a catalog is refreshed after some time, not at once");
    }
  }

  public static CatalogSetting off() {
    return new CatalogSetting(null, USUAL_REFRESH);
  }

  /**
   * The setting in force.
   *
   * @param variable the value of {@link #VARIABLE}; null where it is not set
   * @param written the address in the server's file, or off; null for gpuhunt's
   * @param refresh null for a day
   * @throws CatalogException where the variable has a value that means nothing
   */
  public static CatalogSetting of(
      @Nullable String variable, @Nullable String written, @Nullable Duration refresh) {
    String usual = written == null ? GPUHUNT : written;
    String place = variable == null || variable.isBlank() ? usual : variable.strip();
    Duration refreshAfter = refresh == null ? USUAL_REFRESH : refresh;
    if (place.equals(OFF)) {
      return new CatalogSetting(null, refreshAfter);
    }
    if (!ADDRESS.matcher(place).matches()) {
      throw new CatalogException(
          VARIABLE
              + ": expected off, or an address such as https://host/path without a user and a"
              + " query, found '"
              + place
              + "'");
    }
    return new CatalogSetting(place, refreshAfter);
  }

  /** What people call the catalog at the address. */
  String title() {
    return GPUHUNT.equals(address) ? "gpuhunt's public catalog" : "the catalog at " + address;
  }
}
