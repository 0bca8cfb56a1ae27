package dev.berth.catalog.read;

import dev.berth.catalog.CatalogException;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What is to be imported.
 *
 * @param place a folder, a file or an http(s) address
 * @param version the only version that will do; null for the newest
 * @param providers whose offers are wanted, all where empty; one names the provider of a file whose
 *     name does not
 */
public record ImportRequest(
    CatalogFormat format, String place, @Nullable String version, Set<String> providers) {
  public ImportRequest {
    providers = Set.copyOf(providers);
    if (version != null) {
      Versions.require(version, "--version");
      if (format != CatalogFormat.GPUHUNT) {
        throw new CatalogException(
            "Only catalogs of gpuhunt have versions; leave --version out for "
                + format.word()
                + ".");
      }
    }
  }

  /** For a place that has one state only, of which nobody says which it is. */
  void refuseVersion() {
    if (version != null) {
      throw new CatalogException(place + " has no versions; leave --version out.");
    }
  }

  boolean wants(String provider) {
    return providers.isEmpty() || providers.contains(provider);
  }

  /** Those asked for that are not among the found. */
  Set<String> missing(Set<String> found) {
    Set<String> missing = new TreeSet<>(providers);
    missing.removeAll(found);
    return missing;
  }
}
