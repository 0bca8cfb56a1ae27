package dev.berth.bench;

import dev.berth.catalog.read.GpuhuntReader;
import dev.berth.catalog.read.ReadLimits;
import dev.berth.model.offers.CatalogItem;
import dev.berth.model.offers.CatalogItem.Gpu;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.ZipInputStream;

/**
 * The real offers that are not in the repository, or several times as many. Equal values are one
 * object, so that the objects that the index is compared with are as small as they can be.
 */
final class PublishedOffers {
  /** The property that names the folder of data that is not in the repository. */
  static final String DATA = "berth.testdata";

  private final Map<Object, Object> values = new HashMap<>();

  private PublishedOffers() {}

  /** Where the offers are if they are on this machine: beside the checkout, unless it is said. */
  static Path folder(Path root) {
    String data = System.getProperty(DATA);
    return (data == null ? root.resolveSibling("shared") : Path.of(data))
        .resolve("catalog-data")
        .resolve("gpuhunt-v3");
  }

  /** Why what needs the offers cannot be measured, if so. */
  static Optional<String> missing(Path root) {
    Path folder = folder(root);
    return Files.isDirectory(folder)
        ? Optional.empty()
        : Optional.of("there are no published offers in " + folder);
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
    try (ZipInputStream in = new ZipInputStream(Files.newInputStream(zip))) {
      in.getNextEntry();
      return GpuhuntReader.read(provider, zip.toString(), in, ReadLimits.DEFAULT).items().stream()
          .map(this::shared)
          .toList();
    }
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

  private CatalogItem shared(CatalogItem item) {
    String zone = item.zone();
    Gpu gpu = item.gpu();
    Long disk = item.diskMib();
    return new CatalogItem(
        one(item.provider()),
        one(item.instanceType()),
        one(item.region()),
        zone == null ? null : one(zone),
        item.price(),
        item.cpus(),
        item.arch(),
        item.memoryMib(),
        gpu == null ? null : one(gpu),
        disk == null ? null : one(disk),
        item.spot(),
        one(item.flags()),
        one(item.providerData()),
        one(item.repairs()));
  }

  @SuppressWarnings("unchecked") // What is stored under a value is an equal one.
  private <T> T one(T value) {
    return (T) values.computeIfAbsent(value, same -> same);
  }
}
