package dev.berth.catalog.read;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;

/** The real catalogs, which are not in the repository. */
public final class TestData {
  private TestData() {}

  /** Skips the test where they are missing. */
  public static Path catalogs() {
    Path folder = Path.of(System.getProperty("berth.testdata", "absent")).resolve("catalog-data");
    assumeTrue(Files.isDirectory(folder), "there are no real catalogs in " + folder);
    return folder;
  }
}
