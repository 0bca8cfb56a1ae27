package dev.berth.hosts.docker;

import java.util.Comparator;
import java.util.Optional;

/** A version of an engine's API, such as 1.41. */
record ApiVersion(int major, int minor) implements Comparable<ApiVersion> {
  private static final Comparator<ApiVersion> ORDER =
      Comparator.comparingInt(ApiVersion::major).thenComparingInt(ApiVersion::minor);

  /** Empty where an engine says nothing, or something else. */
  static Optional<ApiVersion> parse(String text) {
    if (!text.matches("[0-9]{1,4}\\.[0-9]{1,4}")) {
      return Optional.empty();
    }
    int dot = text.indexOf('.');
    return Optional.of(
        new ApiVersion(
            Integer.parseInt(text.substring(0, dot)), Integer.parseInt(text.substring(dot + 1))));
  }

  ApiVersion orNewer(ApiVersion other) {
    return compareTo(other) >= 0 ? this : other;
  }

  ApiVersion orOlder(ApiVersion other) {
    return compareTo(other) <= 0 ? this : other;
  }

  String text() {
    return major + "." + minor;
  }

  @Override
  public int compareTo(ApiVersion other) {
    return ORDER.compare(this, other);
  }
}
