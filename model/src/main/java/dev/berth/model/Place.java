package dev.berth.model;

import dev.berth.model.offers.CatalogItem;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Where something shall be made: an offer that was chosen.
 *
 * @param zone the part of the region; null leaves the choice to the provider
 * @param instanceType the provider's name for the machine
 * @param price in US dollars an hour, as it was when the offer was chosen
 * @param providerData what only the backend understands, as it came with the offer, a JSON object
 * @param instance the provider's id of a machine of ours that is there already, for a job that
 *     shall run on it; null where the job itself is what is bought
 * @param reservation the provider's id of capacity that was reserved before
 * @param offer what tells the offer from others of the same type, region and terms, such as the
 *     number of its accelerators; null in bodies of before
 */
public record Place(
    String region,
    @Nullable String zone,
    String instanceType,
    boolean spot,
    double price,
    String providerData,
    @Nullable String instance,
    @Nullable String reservation,
    @Nullable String offer) {
  /** A place of which the offer is told by its type alone. */
  public Place(
      String region,
      @Nullable String zone,
      String instanceType,
      boolean spot,
      double price,
      String providerData,
      @Nullable String instance,
      @Nullable String reservation) {
    this(region, zone, instanceType, spot, price, providerData, instance, reservation, null);
  }

  public static Place of(CatalogItem item) {
    return new Place(
        item.region(),
        item.zone(),
        item.instanceType(),
        item.spot(),
        item.price(),
        item.providerData(),
        null,
        null,
        shape(item));
  }

  /**
   * All of an offer but its type, its place and its price, which changes while the offer stays. The
   * same in every process, because it is kept.
   */
  private static String shape(CatalogItem item) {
    CatalogItem.Gpu gpu = item.gpu();
    StringBuilder shape = new StringBuilder();
    if (gpu != null) {
      shape.append(gpu.count()).append('x').append(gpu.name());
      shape.append('-').append(gpu.memoryMib()).append("mib,");
    }
    shape.append(item.cpus()).append("cpu-").append(item.arch().name().toLowerCase(Locale.ROOT));
    shape.append(',').append(item.memoryMib()).append("mib");
    if (item.diskMib() != null) {
      shape.append(",disk-").append(item.diskMib()).append("mib");
    }
    item.flags().forEach(flag -> shape.append(',').append(flag));
    if (!item.providerData().equals(CatalogItem.NO_PROVIDER_DATA)) {
      shape.append(",data-").append(Integer.toHexString(item.providerData().hashCode()));
    }
    return shape.toString();
  }

  /** The place and the type of what is bought, as people see it. */
  public String key(String backend) {
    return String.join(
        "/", backend, region, zone == null ? "" : zone, instanceType, spot ? "spot" : "on-demand");
  }

  /** What stands for the offer, and no other one, when it is remembered that it was tried. */
  public String offerKey(String backend) {
    return offer == null ? key(backend) : key(backend) + "/" + offer;
  }

  /** Where machines of one placement group are; the beginning of their keys. */
  public String groupArea(String backend) {
    return String.join("/", backend, region, zone == null ? "" : zone);
  }

  /** The same, in one zone. */
  public Place in(@Nullable String newZone) {
    return new Place(
        region, newZone, instanceType, spot, price, providerData, instance, reservation, offer);
  }

  /** The same, on a machine that is there. */
  public Place on(String newInstance) {
    return new Place(
        region, zone, instanceType, spot, price, providerData, newInstance, reservation, offer);
  }

  /** The same, out of reserved capacity; null for no reservation. */
  public Place reserved(@Nullable String newReservation) {
    return new Place(
        region, zone, instanceType, spot, price, providerData, instance, newReservation, offer);
  }
}
