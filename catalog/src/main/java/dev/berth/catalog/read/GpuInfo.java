package dev.berth.catalog.read;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the field GpuInfo tells: a Python dictionary, JSON, a mixture of both, or only a name. It is
 * searched for the few words that matter and never evaluated.
 *
 * @param manufacturer in lower case; empty where it is not told
 * @param memoryMib of one accelerator; 0 where it is not told
 * @param totalMib of all; 0 where it is not told
 */
record GpuInfo(String manufacturer, long memoryMib, long totalMib) {
  private static final Pattern MANUFACTURER =
      Pattern.compile("['\"]Manufacturer['\"]\\s{0,9}:\\s{0,9}['\"]([^'\"]{1,40})['\"]");
  private static final Pattern MEMORY =
      Pattern.compile("['\"]SizeInMiB['\"]\\s{0,9}:\\s{0,9}['\"]?([0-9]{1,9})");
  private static final Pattern TOTAL =
      Pattern.compile("['\"]TotalGpuMemoryInMiB['\"]\\s{0,9}:\\s{0,9}['\"]?([0-9]{1,9})");

  static GpuInfo of(String text) {
    Matcher manufacturer = MANUFACTURER.matcher(text);
    return new GpuInfo(
        manufacturer.find() ? manufacturer.group(1).strip().toLowerCase(Locale.ROOT) : "",
        number(MEMORY.matcher(text)),
        number(TOTAL.matcher(text)));
  }

  private static long number(Matcher matcher) {
    return matcher.find() ? Long.parseLong(matcher.group(1)) : 0;
  }
}
