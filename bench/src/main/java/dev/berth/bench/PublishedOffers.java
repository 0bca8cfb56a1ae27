package dev.berth.bench;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import dev.berth.model.config.AcceleratorVendor;
import dev.berth.model.config.CpuArchitecture;
import dev.berth.model.offers.CatalogItem;
import dev.berth.model.offers.CatalogItem.Gpu;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.ZipInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The real offers that are not in the repository, or several times as many. Equal values are one
 * object, so that the objects that the index is compared with are as small as they can be.
 */
final class PublishedOffers {
  private final Map<Object, Object> values = new HashMap<>();

  private PublishedOffers() {}

  /** Where the offers are, beside the checkout, if they are on this machine. */
  static Path folder(Path root) {
    return root.resolveSibling("shared").resolve("catalog-data").resolve("gpuhunt-v3");
  }

  /**
   * The offers by provider.
   *
   * @param times how often each is there: copies are in places of their own and cost a little more
   */
  static Map<String, List<CatalogItem>> read(Path folder, int times) throws IOException {
    PublishedOffers offers = new PublishedOffers();
    Map<String, List<CatalogItem>> byProvider = new TreeMap<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path zip : files.filter(file -> file.endsWith("catalog.zip")).sorted().toList()) {
        String provider = folder.relativize(zip).getName(0).toString();
        byProvider.put(provider, offers.multiplied(offers.read(provider, zip), times));
      }
    }
    return byProvider;
  }

  private List<CatalogItem> read(String provider, Path zip) throws IOException {
    List<CatalogItem> items = new ArrayList<>();
    try (ZipInputStream in = new ZipInputStream(Files.newInputStream(zip))) {
      in.getNextEntry();
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      try (CsvReader<NamedCsvRecord> records = CsvReader.builder().ofNamedCsvRecord(text)) {
        for (NamedCsvRecord row : records) {
          if (!row.getField("location").isEmpty()) {
            items.add(item(provider, row));
          }
        }
      }
    }
    return items;
  }

  private List<CatalogItem> multiplied(List<CatalogItem> items, int times) {
    List<CatalogItem> all = new ArrayList<>(items);
    for (int copy = 1; copy < times; copy++) {
      for (CatalogItem item : items) {
        all.add(moved(item, one(item.region() + "~" + copy), 1 + copy / 1000.0));
      }
    }
    return all;
  }

  private static CatalogItem moved(CatalogItem item, String region, double factor) {
    return new CatalogItem(
        item.provider(),
        item.instanceType(),
        region,
        item.zone(),
        item.price() * factor,
        item.cpus(),
        item.arch(),
        item.memoryMib(),
        item.gpu(),
        item.diskMib(),
        item.spot(),
        item.flags(),
        item.providerData(),
        item.repairs());
  }

  private CatalogItem item(String provider, NamedCsvRecord row) {
    String disk = row.getField("disk_size");
    String flags = row.getField("flags");
    return new CatalogItem(
        one(provider),
        one(row.getField("instance_name")),
        one(row.getField("location")),
        null,
        Double.parseDouble(row.getField("price")),
        Integer.parseInt(row.getField("cpu")),
        CpuArchitecture.valueOf(row.getField("cpu_arch").toUpperCase(Locale.ROOT)),
        mib(row.getField("memory")),
        gpu(row),
        disk.isEmpty() ? null : one(mib(disk)),
        Boolean.parseBoolean(row.getField("spot")),
        flags.isEmpty() ? List.of() : one(List.of(flags.split(" "))),
        one(row.getField("provider_data")),
        List.of());
  }

  private @Nullable Gpu gpu(NamedCsvRecord row) {
    int count = Integer.parseInt(row.getField("gpu_count"));
    if (count == 0) {
      return null;
    }
    String memory = row.getField("gpu_memory");
    return one(
        new Gpu(
            AcceleratorVendor.valueOf(row.getField("gpu_vendor").toUpperCase(Locale.ROOT)),
            one(row.getField("gpu_name")),
            count,
            memory.isEmpty() ? 0 : mib(memory)));
  }

  private static long mib(String gibibytes) {
    return Math.round(Double.parseDouble(gibibytes) * 1024);
  }

  @SuppressWarnings("unchecked") // What is stored under a value is an equal one.
  private <T> T one(T value) {
    return (T) values.computeIfAbsent(value, same -> same);
  }
}
