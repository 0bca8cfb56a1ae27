package dev.berth.catalog.read;

/**
 * How large a catalog may be before it is taken for a mistake or an attack.
 *
 * @param fileBytes of a download and of a file of rows, unpacked
 * @param rows of a file
 * @param rowBytes of a row
 * @param packingRatio how many times larger than its archive a file may be
 * @param entries in an archive or a folder
 */
public record ReadLimits(long fileBytes, long rows, int rowBytes, int packingRatio, int entries) {
  public static final ReadLimits DEFAULT =
      new ReadLimits(512L << 20, 20_000_000, 64 << 10, 250, 100_000);

  public ReadLimits {
    if (fileBytes < 1 || rows < 1 || rowBytes < 1 || packingRatio < 1 || entries < 1) {
      throw new IllegalArgumentException("limits are positive");
    }
  }
}
