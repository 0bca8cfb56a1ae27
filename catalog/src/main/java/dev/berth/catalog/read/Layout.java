package dev.berth.catalog.read;

import dev.berth.catalog.CatalogException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which provider the files of a folder or an archive are of, by their paths alone. */
final class Layout {
  private static final Pattern PROVIDER = Pattern.compile("[a-z0-9][a-z0-9_-]{0,63}");
  private static final Pattern CSV =
      Pattern.compile("(.+)\\.csv(?:\\.gz)?", Pattern.CASE_INSENSITIVE);

  /** gpuhunt's version 3: {@code aws/20260822-1/catalog.zip}. */
  private static final Pattern PER_PROVIDER =
      Pattern.compile("(?:v3/)?([^/]+)/([^/]+)/catalog\\.zip");

  private static final Pattern SCHEMA = Pattern.compile("v([0-9]{1,4})");

  private Layout() {}

  /** The versions that are there of each provider, by path. */
  static Map<String, Map<String, String>> zipsByProvider(List<String> paths) {
    Map<String, Map<String, String>> found = new TreeMap<>();
    for (String path : paths) {
      Matcher zip = PER_PROVIDER.matcher(path);
      if (zip.matches() && PROVIDER.matcher(zip.group(1)).matches()) {
        found.computeIfAbsent(zip.group(1), key -> new TreeMap<>()).put(zip.group(2), path);
      }
    }
    return found;
  }

  /** Files that are named after their provider. */
  static Map<String, String> csvByProvider(List<String> paths) {
    Map<String, String> found = new TreeMap<>();
    for (String path : paths) {
      Matcher csv = CSV.matcher(lastPart(path));
      if (csv.matches() && isProvider(csv.group(1).toLowerCase(Locale.ROOT))) {
        found.put(provider(csv.group(1), path), path);
      }
    }
    if (found.containsKey("verda")) {
      // The same rows under the provider's former name, for old clients.
      found.remove("datacrunch");
    }
    return found;
  }

  /** Files that have the form of an offer list, but no provider's name, each with the reason. */
  static Map<String, CatalogException> misnamed(List<String> paths) {
    Map<String, CatalogException> found = new TreeMap<>();
    for (String path : paths) {
      Matcher csv = CSV.matcher(lastPart(path));
      if (csv.matches() && !isProvider(csv.group(1).toLowerCase(Locale.ROOT))) {
        found.put(lastPart(path), noProvider(path));
      }
    }
    return found;
  }

  /** SkyPilot's {@code v8/aws/vms.csv}; where several schemas have a cloud, the newest. */
  static Map<String, String> vmsByCloud(List<String> paths) {
    Map<String, String> found = new TreeMap<>();
    Map<String, Integer> schemas = new HashMap<>();
    for (String path : paths) {
      List<String> parts = new ArrayList<>(List.of(path.split("/")));
      String file = parts.removeLast();
      if (parts.isEmpty() || !(file.equals("vms.csv") || file.equals("vms.csv.gz"))) {
        continue;
      }
      String cloud = parts.removeLast();
      Matcher schema = SCHEMA.matcher(parts.isEmpty() ? "" : parts.getLast());
      int number = schema.matches() ? Integer.parseInt(schema.group(1)) : 0;
      if (PROVIDER.matcher(cloud).matches() && number >= schemas.getOrDefault(cloud, 0)) {
        schemas.put(cloud, number);
        found.put(cloud, path);
      }
    }
    return found;
  }

  /** The provider of a single file: {@code aws.csv}, {@code aws/vms.csv}. */
  static String providerOfFile(String path) {
    List<String> parts = List.of(path.split("[/\\\\]"));
    Matcher csv = CSV.matcher(parts.getLast());
    String name = csv.matches() ? csv.group(1) : parts.getLast();
    return name.equals("vms") && parts.size() > 1
        ? provider(parts.get(parts.size() - 2), path)
        : provider(name, path);
  }

  static boolean isProvider(String name) {
    return PROVIDER.matcher(name).matches();
  }

  static boolean isCsv(String path) {
    return CSV.matcher(path).matches();
  }

  private static String provider(String name, String path) {
    String provider = name.toLowerCase(Locale.ROOT);
    if (!PROVIDER.matcher(provider).matches()) {
      throw noProvider(path);
    }
    return provider;
  }

  private static CatalogException noProvider(String path) {
    return new CatalogException(
        path
            + ": The file's name is expected to be that of a provider, as in aws.csv. Name the"
            + " provider, or rename the file.");
  }

  private static String lastPart(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
