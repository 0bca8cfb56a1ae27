package dev.berth.catalog.read;

import dev.berth.catalog.places.Locations.Place;
import java.util.OptionalDouble;

/**
 * A row of a SkyPilot file: a machine, or for Google Cloud accelerators without one, in a place,
 * with one or two prices.
 *
 * @param instanceType empty where the row is of accelerators alone
 * @param accelerator empty where the row has none
 * @param cpus 0 where the row is of accelerators alone
 */
record SkypilotRow(
    String where,
    String instanceType,
    Place place,
    int cpus,
    double memoryGib,
    String accelerator,
    int count,
    GpuInfo info,
    OptionalDouble price,
    OptionalDouble spotPrice,
    OptionalDouble diskGib,
    String architecture,
    String upstreamId) {
  /** Reads what every row has; whether it makes an offer is not asked here. */
  static SkypilotRow of(String provider, CsvRow row) throws RowRefusedException {
    String type = row.text("InstanceType");
    String accelerator = row.text("AcceleratorName");
    if (type.isEmpty() && accelerator.isEmpty()) {
      throw new RowRefusedException(RefusalReason.NO_INSTANCE_TYPE);
    }
    String region = row.required("Region", RefusalReason.NO_LOCATION);
    String zone = row.text("AvailabilityZone");
    double count =
        row.number("AcceleratorCount", Figures.MOST_ACCELERATORS)
            .orElse(accelerator.isEmpty() ? 0 : 1);
    if (count > 0 && accelerator.isEmpty()) {
      throw new RowRefusedException(RefusalReason.NO_ACCELERATOR_NAME);
    }
    if (count != Math.rint(count)) {
      throw new RowRefusedException(RefusalReason.PART_OF_ACCELERATOR);
    }
    OptionalDouble price = row.number("Price", Figures.MOST_PRICE);
    OptionalDouble spotPrice = row.number("SpotPrice", Figures.MOST_PRICE);
    if (price.isEmpty() && spotPrice.isEmpty()) {
      throw new RowRefusedException(RefusalReason.NO_PRICE);
    }
    boolean machine = !type.isEmpty();
    return new SkypilotRow(
        row.where(),
        type,
        place(provider, region, zone),
        machine
            ? (int) Math.ceil(row.number("vCPUs", Figures.MOST_CPUS, RefusalReason.NO_SIZE))
            : 0,
        machine ? row.number("MemoryGiB", Figures.MOST_GIB, RefusalReason.NO_SIZE) : 0,
        count > 0 ? accelerator : "",
        (int) count,
        GpuInfo.of(row.text("GpuInfo")),
        price,
        spotPrice,
        row.number("StorageGiB", Figures.MOST_GIB),
        row.text("Arch"),
        row.text("UpstreamCloudId"));
  }

  /** RunPod's rows have the country as their region; its own regions are its data centres. */
  private static Place place(String provider, String region, String zone) {
    if (zone.isEmpty()) {
      return new Place(region, null);
    }
    return provider.equals("runpod") ? new Place(zone, null) : new Place(region, zone);
  }
}
