package dev.berth.catalog.places;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Takes a provider's word for a place apart, where it is known how the provider makes them. */
public final class Locations {
  /** {@code use1-az1}, {@code usw2-lax1-az1}: the same place for every account. */
  private static final Pattern AWS_ZONE_ID =
      Pattern.compile("([a-z]{2})(g?)(ne|nw|se|sw|n|s|e|w|c)([0-9]+)(?:-[a-z]+[0-9]+)?-az[0-9]+");

  /** {@code us-east-1a}, {@code us-west-2-lax-1a}: the letter differs between accounts. */
  private static final Pattern AWS_ZONE_NAME =
      Pattern.compile("([a-z]{2,4}(?:-gov|-iso[a-z]?|-de)?-[a-z]+-[0-9]+)(?:[a-z]|-[a-z0-9-]+)");

  private static final Pattern GCP_ZONE = Pattern.compile("([a-z]+-[a-z]+[0-9]+)-[a-z]");
  private static final Pattern OCI_DOMAIN =
      Pattern.compile("(.+)-AD-[0-9]+", Pattern.CASE_INSENSITIVE);

  private static final Map<String, String> AWS_DIRECTIONS =
      Map.of(
          "n",
          "north",
          "s",
          "south",
          "e",
          "east",
          "w",
          "west",
          "c",
          "central",
          "ne",
          "northeast",
          "nw",
          "northwest",
          "se",
          "southeast",
          "sw",
          "southwest");

  /** Regions whose domains were named before regions had numbers. */
  private static final Map<String, String> OCI_OLD_NAMES =
      Map.of("phx", "us-phoenix-1", "iad", "us-ashburn-1", "us-ashburn", "us-ashburn-1");

  private Locations() {}

  /** A region, and the part of it that is meant, if one is. */
  public record Place(String region, @Nullable String zone) {}

  /** Text that is not known to name a zone is the region, as it stands. */
  public static Place split(String provider, String location) {
    return switch (provider.toLowerCase(Locale.ROOT)) {
      case "aws" -> aws(location);
      case "gcp" -> zoned(GCP_ZONE.matcher(location), location);
      case "oci" -> oci(location);
      default -> new Place(location, null);
    };
  }

  private static Place aws(String location) {
    Matcher id = AWS_ZONE_ID.matcher(location);
    if (id.matches()) {
      String government = id.group(2).isEmpty() ? "" : "-gov";
      String direction = AWS_DIRECTIONS.getOrDefault(id.group(3), id.group(3));
      return new Place(id.group(1) + government + "-" + direction + "-" + id.group(4), location);
    }
    return zoned(AWS_ZONE_NAME.matcher(location), location);
  }

  private static Place zoned(Matcher zone, String location) {
    return zone.matches() ? new Place(zone.group(1), location) : new Place(location, null);
  }

  private static Place oci(String location) {
    Matcher domain = OCI_DOMAIN.matcher(location);
    if (!domain.matches()) {
      return new Place(location, null);
    }
    String region = domain.group(1).toLowerCase(Locale.ROOT);
    return new Place(OCI_OLD_NAMES.getOrDefault(region, region), location);
  }
}
