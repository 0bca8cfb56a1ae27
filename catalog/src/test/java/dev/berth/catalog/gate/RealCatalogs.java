package dev.berth.catalog.gate;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.catalog.read.GpuhuntReader;
import dev.berth.catalog.read.ReadLimits;
import dev.berth.catalog.read.SkypilotReader;
import dev.berth.spi.OfferSource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipInputStream;

/** Real price files, through the readers that ship. */
public final class RealCatalogs {
  private RealCatalogs() {}

  /** A folder of the test data; the test is skipped where there is none. */
  public static Path folder(String name) {
    String root = System.getProperty("berth.testdata", "");
    Path folder = Path.of(root, "catalog-data", name);
    assumeTrue(!root.isEmpty() && Files.isDirectory(folder), "no test data in " + folder);
    return folder;
  }

  /**
   * An older version of a file of SkyPilot, compressed; the series is named by cloud and schema.
   */
  static OfferSource.Fetched history(String series, Path file, Instant time) throws IOException {
    String cloud = series.substring(0, series.indexOf('-'));
    try (InputStream csv = new GZIPInputStream(Files.newInputStream(file))) {
      return SkypilotReader.read(cloud, file.toString(), csv, ReadLimits.DEFAULT)
          .fetched(null, time);
    }
  }

  /** The file of a provider in the layout that is also published. */
  public static OfferSource.Fetched published(String provider, Path zipFile) throws IOException {
    try (ZipInputStream zip = new ZipInputStream(Files.newInputStream(zipFile))) {
      Objects.requireNonNull(zip.getNextEntry());
      return GpuhuntReader.read(provider, zipFile.toString(), zip, ReadLimits.DEFAULT)
          .fetched("20260822-1", Samples.NOON);
    }
  }
}
