package dev.berth.catalog.read;

import dev.berth.catalog.places.Locations.Place;
import dev.berth.model.config.AcceleratorVendor;
import dev.berth.model.config.CpuArchitecture;
import dev.berth.model.offers.Accelerator;
import dev.berth.model.offers.Accelerators;
import dev.berth.model.offers.CatalogItem;
import dev.berth.model.offers.CatalogItem.Gpu;
import dev.berth.spi.OfferSource.RefusedRow;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads the files {@code vms.csv} of SkyPilot. A row with both prices becomes an on-demand and a
 * spot offer. Google's accelerators stand in rows of their own: each is joined with every machine
 * of its zone that takes it, and the offer costs the sum of both.
 */
public final class SkypilotReader {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final List<String> REQUIRED =
      List.of(
          "InstanceType",
          "AcceleratorName",
          "AcceleratorCount",
          "vCPUs",
          "MemoryGiB",
          "Price",
          "SpotPrice",
          "Region");
  private static final String JOINED_PROVIDER = "gcp";

  private final String provider;
  private final Words words = new Words();
  private final List<CatalogItem> items = new ArrayList<>();

  private SkypilotReader(String provider) {
    this.provider = provider;
  }

  /**
   * Reads a file to its end.
   *
   * @param file how messages name the file
   */
  public static ReadRows read(String provider, String file, InputStream in, ReadLimits limits) {
    SkypilotReader reader = new SkypilotReader(provider);
    List<RefusedRow> refused = new ArrayList<>();
    SkypilotJoin join = new SkypilotJoin();
    long rows =
        CsvFile.read(
            file,
            in,
            limits,
            REQUIRED,
            refused,
            row -> {
              SkypilotRow read = SkypilotRow.of(provider, row);
              if (!provider.equals(JOINED_PROVIDER) || !join.takes(read)) {
                reader.add(read);
              }
            });
    refused.addAll(join.make(reader::addJoined));
    return new ReadRows(
        reader.items, refused, new RowCount(rows, rows - refused.size(), refused.size()));
  }

  private void add(SkypilotRow row) throws RowRefusedException {
    if (row.instanceType().isEmpty()) {
      if (Accelerators.find(row.accelerator())
          .filter(it -> it.vendor() == AcceleratorVendor.GOOGLE)
          .isPresent()) {
        addSlice(row);
        return;
      }
      throw new RowRefusedException(RefusalReason.NO_INSTANCE_TYPE);
    }
    addOffers(row, row, row.price(), row.spotPrice());
  }

  private void addJoined(SkypilotRow machine, SkypilotRow accelerators) throws RowRefusedException {
    OptionalDouble price = sum(machine.price(), accelerators.price());
    OptionalDouble spotPrice = sum(machine.spotPrice(), accelerators.spotPrice());
    if (price.isEmpty() && spotPrice.isEmpty()) {
      throw new RowRefusedException(RefusalReason.NO_PRICE);
    }
    addOffers(machine, accelerators, price, spotPrice);
  }

  private static OptionalDouble sum(OptionalDouble one, OptionalDouble other) {
    return one.isPresent() && other.isPresent()
        ? OptionalDouble.of(one.getAsDouble() + other.getAsDouble())
        : OptionalDouble.empty();
  }

  private void addSlice(SkypilotRow row) throws RowRefusedException {
    String name = words.shared(Accelerators.canonical(row.accelerator()));
    TpuSlices.Slice slice =
        TpuSlices.find(name)
            .orElseThrow(() -> new RowRefusedException(RefusalReason.UNKNOWN_SLICE));
    List<String> repairs =
        name.equals(row.accelerator())
            ? List.of()
            : List.of("accelerator " + row.accelerator() + " named " + name);
    Gpu gpu = new Gpu(AcceleratorVendor.GOOGLE, name, 1, Figures.mib(slice.acceleratorGib()));
    Machine machine =
        new Machine(
            name,
            slice.cpus(),
            CpuArchitecture.X86,
            Figures.mib(slice.memoryGib()),
            null,
            CatalogItem.NO_PROVIDER_DATA);
    addItems(machine, row.place(), gpu, repairs, row.price(), row.spotPrice());
  }

  private void addOffers(
      SkypilotRow row, SkypilotRow accelerators, OptionalDouble price, OptionalDouble spotPrice)
      throws RowRefusedException {
    @Nullable Gpu gpu = null;
    List<String> repairs = List.of();
    if (!accelerators.accelerator().isEmpty()) {
      AcceleratorReading reading = reading(accelerators);
      gpu =
          new Gpu(
              reading.gpu().vendor(),
              words.shared(reading.gpu().name()),
              reading.gpu().count(),
              reading.gpu().memoryMib());
      repairs = reading.repairs();
    }
    Machine machine =
        new Machine(
            words.shared(row.instanceType()),
            row.cpus(),
            architecture(row, gpu == null ? "" : gpu.name()),
            Figures.mib(row.memoryGib()),
            row.diskGib().isPresent() ? (Long) Figures.mib(row.diskGib().getAsDouble()) : null,
            providerData(row));
    addItems(machine, row.place(), gpu, repairs, price, spotPrice);
  }

  private static AcceleratorReading reading(SkypilotRow row) throws RowRefusedException {
    @Nullable AcceleratorVendor vendor =
        Accelerators.find(row.accelerator()).map(Accelerator::vendor).orElse(null);
    if (vendor == null) {
      if (Vendors.isUnsupportedModel(row.accelerator())) {
        throw new RowRefusedException(RefusalReason.UNSUPPORTED_ACCELERATOR);
      }
      if (!row.info().manufacturer().isEmpty()) {
        vendor =
            Vendors.find(row.info().manufacturer())
                .orElseThrow(() -> new RowRefusedException(RefusalReason.UNSUPPORTED_ACCELERATOR));
      }
    }
    // Without a word on its memory a name means the smallest: the larger are named A100-80GB.
    return AcceleratorReading.of(
        new AcceleratorReading.Stated(
            row.accelerator(), vendor, row.count(), row.info().memoryMib(), row.info().totalMib()),
        true);
  }

  private CpuArchitecture architecture(SkypilotRow row, String accelerator) {
    return switch (row.architecture().toLowerCase(Locale.ROOT)) {
      case "arm64", "arm", "aarch64" -> CpuArchitecture.ARM;
      case "x86_64", "x86", "amd64" -> CpuArchitecture.X86;
      default -> Architectures.of(provider, row.instanceType(), accelerator);
    };
  }

  private String providerData(SkypilotRow row) {
    return row.upstreamId().isEmpty()
        ? CatalogItem.NO_PROVIDER_DATA
        : words.shared(JSON.writeValueAsString(Map.of("upstream_cloud_id", row.upstreamId())));
  }

  /** What is the same in the on-demand and the spot offer. */
  private record Machine(
      String type,
      int cpus,
      CpuArchitecture arch,
      long memoryMib,
      @Nullable Long diskMib,
      String providerData) {}

  private void addItems(
      Machine machine,
      Place place,
      @Nullable Gpu gpu,
      List<String> repairs,
      OptionalDouble price,
      OptionalDouble spotPrice) {
    if (price.isPresent()) {
      items.add(item(machine, place, gpu, repairs, price.getAsDouble(), false));
    }
    if (spotPrice.isPresent()) {
      items.add(item(machine, place, gpu, repairs, spotPrice.getAsDouble(), true));
    }
  }

  private CatalogItem item(
      Machine machine,
      Place place,
      @Nullable Gpu gpu,
      List<String> repairs,
      double price,
      boolean spot) {
    return new CatalogItem(
        provider,
        machine.type(),
        words.shared(place.region()),
        place.zone() == null ? null : words.shared(place.zone()),
        price,
        machine.cpus(),
        machine.arch(),
        machine.memoryMib(),
        gpu,
        machine.diskMib(),
        spot,
        List.of(),
        machine.providerData(),
        repairs);
  }
}
