package dev.berth.catalog.publish;

import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import dev.berth.model.offers.CatalogItem;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The file of one provider in gpuhunt's v3 layout: a zip with one CSV. Equal offers give equal
 * bytes: rows are in the order of price and then of their text, and the time in the zip is fixed.
 */
final class ProviderFile {
  private static final List<String> HEADER =
      List.of(
          "instance_name",
          "location",
          "price",
          "cpu",
          "memory",
          "gpu_count",
          "gpu_name",
          "gpu_memory",
          "spot",
          "disk_size",
          "gpu_vendor",
          "flags",
          "cpu_arch",
          "provider_data");

  /** The first time that a zip can hold, without a time zone. */
  private static final LocalDateTime NO_TIME = LocalDateTime.of(1980, 1, 1, 0, 0);

  private ProviderFile() {}

  static byte[] zip(String provider, Collection<CatalogItem> offers) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes, StandardCharsets.UTF_8)) {
      ZipEntry entry = new ZipEntry(provider + ".csv");
      entry.setTimeLocal(NO_TIME);
      zip.putNextEntry(entry);
      Writer text = new OutputStreamWriter(zip, StandardCharsets.UTF_8);
      write(text, offers);
      text.flush();
      zip.closeEntry();
    }
    return bytes.toByteArray();
  }

  private static void write(Writer text, Collection<CatalogItem> offers) throws IOException {
    CsvWriter csv = CsvWriter.builder().lineDelimiter(LineDelimiter.CRLF).build(text);
    csv.writeRecord(HEADER);
    offers.stream()
        .map(offer -> new Row(offer.price(), fields(offer)))
        .sorted(
            Comparator.comparingDouble(Row::price)
                .thenComparing(row -> String.join("\n", row.fields())))
        .forEach(row -> csv.writeRecord(row.fields()));
    csv.flush();
  }

  private static List<String> fields(CatalogItem item) {
    CatalogItem.Gpu gpu = item.gpu();
    String zone = item.zone();
    Long disk = item.diskMib();
    return List.of(
        item.instanceType(),
        zone == null ? item.region() : zone,
        number(item.price()),
        Integer.toString(item.cpus()),
        gigabytes(item.memoryMib()),
        gpu == null ? "0" : Integer.toString(gpu.count()),
        gpu == null ? "" : gpu.name(),
        gpu == null ? "" : gigabytes(gpu.memoryMib()),
        item.spot() ? "True" : "False",
        gigabytes(disk),
        gpu == null ? "" : gpu.vendor().name().toLowerCase(Locale.ROOT),
        String.join(" ", item.flags()),
        item.arch().name().toLowerCase(Locale.ROOT),
        item.providerData());
  }

  private static String gigabytes(@Nullable Long mib) {
    return mib == null ? "" : number(mib / 1024.0);
  }

  /** The shortest text that reads back as the same number, without an exponent. */
  private static String number(double number) {
    BigDecimal plain = BigDecimal.valueOf(number).stripTrailingZeros();
    return plain.scale() < 1 ? plain.setScale(1).toPlainString() : plain.toPlainString();
  }

  private record Row(double price, List<String> fields) {}
}
