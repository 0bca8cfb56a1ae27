package dev.berth.catalog.index;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import dev.berth.catalog.Accounting;
import dev.berth.catalog.SnapshotContent;
import dev.berth.model.config.AcceleratorVendor;
import dev.berth.model.config.CpuArchitecture;
import dev.berth.model.offers.CatalogItem;
import dev.berth.model.offers.CatalogItem.Gpu;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipInputStream;
import org.jspecify.annotations.Nullable;

/** The published catalogs that tests find outside of the repository, read in the plainest way. */
final class RealOffers {
  private RealOffers() {}

  /** A content for each provider; skips the test where the data is not there. */
  static List<SnapshotContent> contents() throws IOException {
    String data = System.getProperty("berth.testdata");
    Path folder = Path.of(data == null ? "nowhere" : data, "catalog-data", "gpuhunt-v3");
    assumeTrue(Files.isDirectory(folder), "there are no published catalogs in " + folder);
    List<SnapshotContent> contents = new ArrayList<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path zip : files.filter(file -> file.endsWith("catalog.zip")).sorted().toList()) {
        contents.add(content(folder.relativize(zip).getName(0).toString(), zip));
      }
    }
    return contents;
  }

  private static SnapshotContent content(String provider, Path zip) throws IOException {
    List<CatalogItem> items = new ArrayList<>();
    long rows = 0;
    try (ZipInputStream in = new ZipInputStream(Files.newInputStream(zip))) {
      in.getNextEntry();
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      try (CsvReader<NamedCsvRecord> records = CsvReader.builder().ofNamedCsvRecord(text)) {
        for (NamedCsvRecord row : records) {
          rows++;
          if (!row.getField("location").isEmpty()) {
            items.add(item(provider, row));
          }
        }
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    long refused = rows - items.size();
    return new SnapshotContent(
        provider,
        "real",
        Instant.parse("2026-08-22T15:00:00Z"),
        new Accounting(
            rows,
            items.size(),
            0,
            0,
            0,
            0,
            refused == 0 ? Map.of() : Map.of("no location", refused)),
        items,
        List.of());
  }

  private static CatalogItem item(String provider, NamedCsvRecord row) {
    String disk = row.getField("disk_size");
    String flags = row.getField("flags");
    return new CatalogItem(
        provider,
        row.getField("instance_name"),
        row.getField("location"),
        null,
        Double.parseDouble(row.getField("price")),
        Integer.parseInt(row.getField("cpu")),
        CpuArchitecture.valueOf(row.getField("cpu_arch").toUpperCase(Locale.ROOT)),
        mib(row.getField("memory")),
        gpu(row),
        disk.isEmpty() ? null : mib(disk),
        Boolean.parseBoolean(row.getField("spot")),
        flags.isEmpty() ? List.of() : List.of(flags.split(" ")),
        row.getField("provider_data"),
        List.of());
  }

  private static @Nullable Gpu gpu(NamedCsvRecord row) {
    int count = Integer.parseInt(row.getField("gpu_count"));
    if (count == 0) {
      return null;
    }
    String memory = row.getField("gpu_memory");
    return new Gpu(
        AcceleratorVendor.valueOf(row.getField("gpu_vendor").toUpperCase(Locale.ROOT)),
        row.getField("gpu_name"),
        count,
        memory.isEmpty() ? 0 : mib(memory));
  }

  private static long mib(String gigabytes) {
    return Math.round(Double.parseDouble(gigabytes) * 1024);
  }
}
