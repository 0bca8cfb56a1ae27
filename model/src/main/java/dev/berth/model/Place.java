package dev.berth.model;

import dev.berth.model.offers.CatalogItem;
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
 */
public record Place(
    String region,
    @Nullable String zone,
    String instanceType,
    boolean spot,
    double price,
    String providerData,
    @Nullable String instance,
    @Nullable String reservation) {
  public static Place of(CatalogItem item) {
    return new Place(
        item.region(),
        item.zone(),
        item.instanceType(),
        item.spot(),
        item.price(),
        item.providerData(),
        null,
        null);
  }

  /** What stands for the offer when it is remembered that it was tried. */
  public String key(String backend) {
    return String.join(
        "/", backend, region, zone == null ? "" : zone, instanceType, spot ? "spot" : "on-demand");
  }

  /** Where machines of one placement group are; the beginning of their keys. */
  public String groupArea(String backend) {
    return String.join("/", backend, region, zone == null ? "" : zone);
  }

  /** The same, in one zone. */
  public Place in(@Nullable String newZone) {
    return new Place(
        region, newZone, instanceType, spot, price, providerData, instance, reservation);
  }

  /** The same, on a machine that is there. */
  public Place on(String newInstance) {
    return new Place(
        region, zone, instanceType, spot, price, providerData, newInstance, reservation);
  }

  /** The same, out of reserved capacity. */
  public Place reserved(String newReservation) {
    return new Place(
        region, zone, instanceType, spot, price, providerData, instance, newReservation);
  }
}
