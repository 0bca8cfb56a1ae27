package dev.berth.catalog.read;

import dev.berth.catalog.places.Locations;
import dev.berth.catalog.places.Locations.Place;
import dev.berth.model.config.AcceleratorVendor;
import dev.berth.model.config.CpuArchitecture;
import dev.berth.model.offers.CatalogItem;
import dev.berth.model.offers.CatalogItem.Gpu;
import dev.berth.spi.OfferSource.RefusedRow;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads the CSV files of gpuhunt, versions 2 and 3: a row is an offer. Columns are found by name,
 * those that are not known are passed over.
 */
public final class GpuhuntReader {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final List<String> REQUIRED =
      List.of(
          "instance_name",
          "location",
          "price",
          "cpu",
          "memory",
          "gpu_count",
          "gpu_name",
          "gpu_memory",
          "spot");
  private static final String OLD_TPU_PREFIX = "tpu-";

  private final String provider;
  private final Words words = new Words();
  private final Set<String> objects = new HashSet<>();

  private GpuhuntReader(String provider) {
    this.provider = provider;
  }

  /**
   * Reads a file to its end.
   *
   * @param file how messages name the file
   */
  public static ReadRows read(String provider, String file, InputStream in, ReadLimits limits) {
    GpuhuntReader reader = new GpuhuntReader(provider);
    List<CatalogItem> items = new ArrayList<>();
    List<RefusedRow> refused = new ArrayList<>();
    long rows =
        CsvFile.read(file, in, limits, REQUIRED, refused, row -> items.add(reader.item(row)));
    return new ReadRows(items, refused, new RowCount(rows, items.size(), refused.size()));
  }

  private CatalogItem item(CsvRow row) throws RowRefusedException {
    List<String> repairs = new ArrayList<>();
    String type = row.required("instance_name", RefusalReason.NO_INSTANCE_TYPE);
    Place place = Locations.split(provider, row.required("location", RefusalReason.NO_LOCATION));
    double price = row.number("price", Figures.MOST_PRICE, RefusalReason.NO_PRICE);
    int cpus = whole(row.number("cpu", Figures.MOST_CPUS, RefusalReason.NO_SIZE));
    double memory = row.number("memory", Figures.MOST_GIB, RefusalReason.NO_SIZE);
    boolean spot = spot(row);
    @Nullable Gpu gpu = gpu(row, repairs);
    OptionalDouble disk = row.number("disk_size", Figures.MOST_GIB);
    return new CatalogItem(
        provider,
        words.shared(type),
        words.shared(place.region()),
        place.zone() == null ? null : words.shared(place.zone()),
        price,
        cpus,
        architecture(row, repairs),
        Figures.mib(memory),
        gpu,
        disk.isPresent() ? (Long) Figures.mib(disk.getAsDouble()) : null,
        spot,
        flags(row),
        providerData(row),
        repairs);
  }

  private static int whole(double number) throws RowRefusedException {
    if (number != Math.rint(number)) {
      throw new RowRefusedException(RefusalReason.BAD_NUMBER);
    }
    return (int) number;
  }

  private static boolean spot(CsvRow row) throws RowRefusedException {
    return switch (row.text("spot").toLowerCase(Locale.ROOT)) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new RowRefusedException(RefusalReason.BAD_SPOT);
    };
  }

  private @Nullable Gpu gpu(CsvRow row, List<String> repairs) throws RowRefusedException {
    double count = row.number("gpu_count", Figures.MOST_ACCELERATORS, RefusalReason.BAD_NUMBER);
    if (count == 0) {
      return null;
    }
    if (count != Math.rint(count)) {
      throw new RowRefusedException(RefusalReason.PART_OF_ACCELERATOR);
    }
    String name = row.required("gpu_name", RefusalReason.NO_ACCELERATOR_NAME);
    long memory = Figures.mib(row.number("gpu_memory", Figures.MOST_GIB).orElse(0));
    AcceleratorReading reading =
        AcceleratorReading.of(
            new AcceleratorReading.Stated(name, vendor(row, name), (int) count, memory, 0), false);
    repairs.addAll(reading.repairs());
    Gpu gpu = reading.gpu();
    return new Gpu(gpu.vendor(), words.shared(gpu.name()), gpu.count(), gpu.memoryMib());
  }

  private static @Nullable AcceleratorVendor vendor(CsvRow row, String name)
      throws RowRefusedException {
    String vendor = row.text("gpu_vendor");
    if (vendor.isEmpty()) {
      // The reading marks that nothing was stated; the old prefix stated it.
      return name.startsWith(OLD_TPU_PREFIX) ? AcceleratorVendor.GOOGLE : null;
    }
    return Vendors.find(vendor)
        .orElseThrow(() -> new RowRefusedException(RefusalReason.UNSUPPORTED_ACCELERATOR));
  }

  private static CpuArchitecture architecture(CsvRow row, List<String> repairs)
      throws RowRefusedException {
    return switch (row.text("cpu_arch").toLowerCase(Locale.ROOT)) {
      case "x86" -> CpuArchitecture.X86;
      case "arm" -> CpuArchitecture.ARM;
      case "" -> {
        repairs.add("processor architecture not stated, taken as x86");
        yield CpuArchitecture.X86;
      }
      default -> throw new RowRefusedException(RefusalReason.BAD_ARCHITECTURE);
    };
  }

  private List<String> flags(CsvRow row) {
    String flags = row.text("flags");
    if (flags.isEmpty()) {
      return List.of();
    }
    List<String> list = new ArrayList<>();
    for (String flag : flags.split("\\s+")) {
      list.add(words.shared(flag));
    }
    return list;
  }

  private String providerData(CsvRow row) throws RowRefusedException {
    String text = row.text("provider_data");
    if (text.isEmpty()) {
      return CatalogItem.NO_PROVIDER_DATA;
    }
    if (!objects.contains(text)) {
      try {
        if (!JSON.readTree(text).isObject()) {
          throw new RowRefusedException(RefusalReason.BAD_PROVIDER_DATA);
        }
      } catch (JacksonException e) {
        throw new RowRefusedException(RefusalReason.BAD_PROVIDER_DATA, e);
      }
      if (objects.size() < Words.MOST) {
        objects.add(text);
      }
    }
    return words.shared(text);
  }
}
