package dev.berth.catalog.gate;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import dev.berth.model.config.AcceleratorVendor;
import dev.berth.model.config.CpuArchitecture;
import dev.berth.model.offers.CatalogItem;
import dev.berth.spi.OfferSource;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipInputStream;
import org.jspecify.annotations.Nullable;

/** Reads real price files, only as far as the tests of this package need it. */
public final class RealCatalogs {
  private RealCatalogs() {}

  /** A folder of the test data; the test is skipped where there is none. */
  public static Path folder(String name) {
    String root = System.getProperty("berth.testdata", "");
    Path folder = Path.of(root, "catalog-data", name);
    assumeTrue(!root.isEmpty() && Files.isDirectory(folder), "no test data in " + folder);
    return folder;
  }

  /** A file of one line for both prices of a machine, compressed. */
  static OfferSource.Fetched history(String source, Path file, Instant time) throws IOException {
    List<CatalogItem> items = new ArrayList<>();
    List<OfferSource.RefusedRow> refused = new ArrayList<>();
    try (Reader text =
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8);
        CsvReader<NamedCsvRecord> rows = CsvReader.builder().ofNamedCsvRecord(text)) {
      for (NamedCsvRecord row : rows) {
        String where = file + ":" + row.getStartingLineNumber();
        if (row.getField("Region").isBlank()) {
          refused.add(new OfferSource.RefusedRow(where, "no region"));
          continue;
        }
        if (number(row.getField("AcceleratorCount")) % 1 != 0) {
          refused.add(new OfferSource.RefusedRow(where, "a part of an accelerator"));
          continue;
        }
        addHistoryItem(source, row, false, "Price", items);
        addHistoryItem(source, row, true, "SpotPrice", items);
      }
    }
    return new OfferSource.Fetched(null, time, items, refused);
  }

  private static void addHistoryItem(
      String source, NamedCsvRecord row, boolean spot, String column, List<CatalogItem> items) {
    String price = row.getField(column);
    if (price.isBlank()) {
      return;
    }
    String gpu = row.getField("AcceleratorName");
    String type = row.getField("InstanceType");
    items.add(
        new CatalogItem(
            source,
            type.isBlank() ? gpu : type,
            row.getField("Region"),
            row.findField("AvailabilityZone").filter(zone -> !zone.isBlank()).orElse(null),
            Double.parseDouble(price),
            (int) number(row.getField("vCPUs")),
            CpuArchitecture.X86,
            (long) (number(row.getField("MemoryGiB")) * 1024),
            gpu.isBlank()
                ? null
                : new CatalogItem.Gpu(
                    AcceleratorVendor.NVIDIA,
                    gpu,
                    Math.max(1, (int) number(row.getField("AcceleratorCount"))),
                    0),
            null,
            spot,
            List.of(),
            CatalogItem.NO_PROVIDER_DATA,
            List.of()));
  }

  /** The file of a provider in the layout that is also published. */
  public static OfferSource.Fetched published(String provider, Path zipFile) throws IOException {
    List<CatalogItem> items = new ArrayList<>();
    List<OfferSource.RefusedRow> refused = new ArrayList<>();
    try (ZipInputStream zip = new ZipInputStream(Files.newInputStream(zipFile))) {
      Objects.requireNonNull(zip.getNextEntry());
      Reader text = new InputStreamReader(zip, StandardCharsets.UTF_8);
      for (NamedCsvRecord row : CsvReader.builder().ofNamedCsvRecord(text)) {
        if (row.getField("location").isBlank()) {
          refused.add(
              new OfferSource.RefusedRow(
                  zipFile + ":" + row.getStartingLineNumber(), "no location"));
        } else {
          items.add(publishedItem(provider, row));
        }
      }
    }
    return new OfferSource.Fetched("20260822-1", Samples.NOON, items, refused);
  }

  private static CatalogItem publishedItem(String provider, NamedCsvRecord row) {
    int count = Integer.parseInt(row.getField("gpu_count"));
    return new CatalogItem(
        provider,
        row.getField("instance_name"),
        row.getField("location"),
        null,
        Double.parseDouble(row.getField("price")),
        Integer.parseInt(row.getField("cpu")),
        CpuArchitecture.valueOf(row.getField("cpu_arch").toUpperCase(Locale.ROOT)),
        mib(row.getField("memory")),
        count == 0
            ? null
            : new CatalogItem.Gpu(
                AcceleratorVendor.valueOf(row.getField("gpu_vendor").toUpperCase(Locale.ROOT)),
                row.getField("gpu_name"),
                count,
                mib(row.getField("gpu_memory"))),
        disk(row.getField("disk_size")),
        Boolean.parseBoolean(row.getField("spot")),
        row.getField("flags").isEmpty() ? List.of() : List.of(row.getField("flags").split(" ")),
        row.getField("provider_data"),
        List.of());
  }

  private static @Nullable Long disk(String text) {
    return text.isEmpty() ? null : mib(text);
  }

  private static long mib(String gigabytes) {
    return Math.round(Double.parseDouble(gigabytes) * 1024);
  }

  private static double number(String text) {
    return text.isBlank() ? 0 : Double.parseDouble(text);
  }
}
