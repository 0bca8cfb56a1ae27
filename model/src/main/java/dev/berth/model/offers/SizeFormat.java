package dev.berth.model.offers;

import java.util.Locale;

/**
 * How sizes of memory and disk are written for people. Units are the powers of 1024 that users
 * write in files. Rounded down, so that nothing seems to fit that does not.
 */
public final class SizeFormat {
  private static final int STEP = 1024;

  private SizeFormat() {}

  /** Such as {@code 512MB}, {@code 23.4GB} or {@code 2048GB}. */
  public static String ofMib(long mib) {
    return mib < STEP ? mib + "MB" : number(mib, STEP) + "GB";
  }

  /** Such as {@code 80B} or {@code 1.5KB}, and as {@link #ofMib} from a mebibyte on. */
  public static String ofBytes(long bytes) {
    if (bytes < STEP) {
      return bytes + "B";
    }
    long mib = bytes / STEP / STEP;
    if (mib >= STEP) {
      return ofMib(mib);
    }
    return mib == 0 ? number(bytes, STEP) + "KB" : number(bytes / STEP, STEP) + "MB";
  }

  /** With one decimal below a hundred, where it is not zero. */
  private static String number(long amount, int unit) {
    long tenths = amount * 10 / unit;
    return tenths >= 1000 || tenths % 10 == 0
        ? String.valueOf(tenths / 10)
        : String.format(Locale.ROOT, "%d.%d", tenths / 10, tenths % 10);
  }
}
