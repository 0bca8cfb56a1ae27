package dev.berth.catalog.read;

import static org.assertj.core.api.Assertions.assertThat;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import dev.berth.catalog.places.Countries;
import dev.berth.model.config.AcceleratorVendor;
import dev.berth.model.offers.Accelerators;
import dev.berth.model.offers.CatalogItem;
import dev.berth.spi.OfferSource.RefusedRow;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;

/** Every row of the real catalogs is an offer or refused with a reason. */
final class RealCatalogsTest {
  private static final Set<String> PLACED =
      Set.of("aws", "gcp", "azure", "oci", "lambda", "lambdalabs", "nebius", "runpod", "verda");

  @Test
  void everyRowOfGpuhuntIsAnOfferAsItIsWritten() throws IOException {
    long rows = 0;
    long items = 0;
    Map<String, Integer> reasons = new TreeMap<>();
    for (Path folder : folders(TestData.catalogs().resolve("gpuhunt-v3"))) {
      String provider = folder.getFileName().toString();
      Path file =
          folder.resolve(Files.readString(folder.resolve("version")).strip() + "/catalog.zip");
      ReadRows read = read(CatalogFormat.GPUHUNT, provider, file);
      rows += read.count().rows();
      items += read.items().size();
      assertThat(read.count().used()).isEqualTo(read.items().size());
      read.refused().forEach(it -> reasons.merge(it.reason(), 1, Integer::sum));
      assertEqualToRows(provider, file, read);
      assertPlaced(provider, read);
    }
    assertThat(rows).isEqualTo(223_389);
    assertThat(items).isEqualTo(223_370);
    assertThat(reasons).isEqualTo(Map.of(RefusalReason.NO_LOCATION.sentence(), 19));
  }

  private static void assertEqualToRows(String provider, Path file, ReadRows read)
      throws IOException {
    int next = 0;
    try (ZipFile zip = new ZipFile(file.toFile());
        CsvReader<NamedCsvRecord> rows =
            CsvReader.builder()
                .ofNamedCsvRecord(
                    zip.getInputStream(zip.getEntry(provider + ".csv")), StandardCharsets.UTF_8)) {
      for (NamedCsvRecord row : rows) {
        if (row.getField("location").isEmpty()) {
          continue;
        }
        CatalogItem item = read.items().get(next++);
        if (!written(item).equals(written(row)) || !item.repairs().isEmpty()) {
          assertThat(written(item)).isEqualTo(written(row));
          assertThat(item.repairs()).isEmpty();
        }
      }
    }
    assertThat(next).isEqualTo(read.items().size());
  }

  private static List<Object> written(CatalogItem item) {
    CatalogItem.Gpu gpu = item.gpu();
    return List.of(
        item.instanceType(),
        item.zone() == null ? item.region() : item.zone(),
        item.price(),
        (double) item.cpus(),
        item.memoryMib() / 1024.0,
        gpu == null ? 0.0 : (double) gpu.count(),
        gpu == null ? "" : gpu.name(),
        gpu == null ? 0.0 : gpu.memoryMib() / 1024.0,
        gpu == null ? "" : gpu.vendor().name(),
        item.spot(),
        item.arch().name(),
        String.join(" ", item.flags()),
        item.providerData());
  }

  private static List<Object> written(NamedCsvRecord row) {
    String memory = row.getField("gpu_memory");
    return List.of(
        row.getField("instance_name"),
        row.getField("location"),
        Double.valueOf(row.getField("price")),
        Double.valueOf(row.getField("cpu")),
        // The catalog counts in MiB.
        Math.round(Double.parseDouble(row.getField("memory")) * 1024) / 1024.0,
        Double.valueOf(row.getField("gpu_count")),
        row.getField("gpu_name"),
        memory.isEmpty() ? 0.0 : Double.parseDouble(memory),
        row.getField("gpu_vendor").toUpperCase(Locale.ROOT),
        row.getField("spot").equals("True"),
        row.getField("cpu_arch").toUpperCase(Locale.ROOT),
        row.getField("flags"),
        row.getField("provider_data"));
  }

  @Test
  void everyRowOfSkypilotIsUsedOrRefused() throws IOException {
    long rows = 0;
    Map<String, Integer> reasons = new TreeMap<>();
    Map<String, ReadRows> byCloud = skypilot();
    for (Map.Entry<String, ReadRows> cloud : byCloud.entrySet()) {
      ReadRows read = cloud.getValue();
      rows += read.count().rows();
      assertThat(read.refused()).extracting(RefusedRow::where).doesNotHaveDuplicates();
      read.refused()
          .forEach(it -> reasons.merge(cloud.getKey() + ": " + it.reason(), 1, Integer::sum));
      assertPlaced(cloud.getKey(), read);
    }
    assertThat(rows).isEqualTo(112_207);
    assertThat(reasons)
        .isEqualTo(
            Map.of(
                "aws: " + RefusalReason.PART_OF_ACCELERATOR.sentence(), 155,
                "aws: " + RefusalReason.UNSUPPORTED_ACCELERATOR.sentence(), 372,
                "aws: " + RefusalReason.NO_PRICE.sentence(), 125,
                "azure: " + RefusalReason.NO_PRICE.sentence(), 66,
                "gcp: " + RefusalReason.UNKNOWN_SLICE.sentence(), 1425,
                "gcp: " + RefusalReason.NO_HOST.sentence(), 35,
                "gcp: " + RefusalReason.NO_ACCELERATOR_FOR_HOST.sentence(), 178,
                "seeweb: " + RefusalReason.NO_LOCATION.sentence(), 19));
  }

  @Test
  void googlesAcceleratorsCostWhatTheyCostWithTheirMachine() throws IOException {
    Path gpuhunt = TestData.catalogs().resolve("gpuhunt-v3/gcp/20260822-1/catalog.zip");
    Map<List<Object>, Integer> expected =
        offers(read(CatalogFormat.GPUHUNT, "gcp", gpuhunt).items());
    List<CatalogItem> joined = new ArrayList<>(skypilot("v8", "gcp").items());
    // The other catalog left those out whose machine is free beside its accelerators.
    List<CatalogItem> more =
        joined.stream().filter(it -> it.instanceType().equals("a4-highgpu-8g")).toList();
    assertThat(more).hasSize(28).allMatch(it -> it.price() > 0);
    joined.removeAll(more);
    assertThat(joined).hasSize(74_719);
    assertThat(offers(joined)).isEqualTo(expected);
  }

  private static Map<List<Object>, Integer> offers(List<CatalogItem> items) {
    Map<List<Object>, Integer> counted = new HashMap<>();
    for (CatalogItem item : items) {
      CatalogItem.Gpu gpu = item.gpu();
      counted.merge(
          List.of(
              item.instanceType(),
              item.region(),
              item.zone() == null ? "" : item.zone(),
              Math.round(item.price() * 1e6),
              item.cpus(),
              item.memoryMib(),
              gpu == null ? "" : gpu,
              item.spot()),
          1,
          Integer::sum);
    }
    return counted;
  }

  @Test
  void memoryIsThatOfOneAccelerator() throws IOException {
    Set<String> unusual = new TreeSet<>();
    for (ReadRows read : skypilot().values()) {
      for (CatalogItem item : read.items()) {
        CatalogItem.Gpu gpu = item.gpu();
        if (gpu == null || gpu.vendor() == AcceleratorVendor.GOOGLE) {
          continue;
        }
        List<Integer> known =
            Accelerators.find(gpu.name()).map(it -> it.memoryGib()).orElse(List.of());
        if (gpu.memoryMib() % 1024 != 0 || !known.contains((int) (gpu.memoryMib() / 1024))) {
          unusual.add(gpu.name() + " " + gpu.memoryMib());
        }
      }
    }
    assertThat(unusual)
        .containsExactlyInAnyOrder(
            "RTX4060 16380", "RTX4070 16376", "RTXPRO6000 24576", "RTXPRO6000 49152");
  }

  @Test
  void olderVersionsAreReadToo() throws IOException {
    Path history = TestData.catalogs().resolve("history");
    long files = 0;
    for (Path folder : folders(history)) {
      String provider = folder.getFileName().toString().replaceFirst("-v[0-9].*", "");
      for (Path file : folders(folder)) {
        ReadRows read = read(CatalogFormat.SKYPILOT, provider, file);
        files++;
        boolean empty = file.getFileName().toString().startsWith("2026-05-07T022449Z");
        assertThat(read.items().isEmpty()).as(file.toString()).isEqualTo(empty);
        assertPlaced(provider, read);
      }
    }
    assertThat(files).isEqualTo(90);
  }

  private static void assertPlaced(String provider, ReadRows read) {
    if (PLACED.contains(provider)) {
      Set<String> regions =
          read.items().stream().map(CatalogItem::region).collect(Collectors.toSet());
      assertThat(regions).allMatch(region -> Countries.of(provider, region).isPresent());
    }
  }

  private static Map<String, ReadRows> skypilot() throws IOException {
    Map<String, ReadRows> read = new TreeMap<>();
    for (Path folder : folders(TestData.catalogs().resolve("v8"))) {
      if (Files.exists(folder.resolve("vms.csv"))) {
        String cloud = folder.getFileName().toString();
        read.put(cloud, skypilot("v8", cloud));
      }
    }
    read.put("aws", skypilot("v7", "aws"));
    return read;
  }

  private static ReadRows skypilot(String schema, String cloud) {
    Path file = TestData.catalogs().resolve(schema).resolve(cloud).resolve("vms.csv");
    return read(CatalogFormat.SKYPILOT, cloud, file);
  }

  private static ReadRows read(CatalogFormat format, String provider, Path file) {
    return new Archive(file, file.getFileName().toString(), ReadLimits.DEFAULT)
        .read(null, (name, in) -> format.read(provider, name, in, ReadLimits.DEFAULT));
  }

  private static List<Path> folders(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(it -> !it.getFileName().toString().equals("index.csv")).sorted().toList();
    }
  }
}
