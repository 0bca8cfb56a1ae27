package dev.berth.backends.sim;

import dev.berth.model.Place;
import org.jspecify.annotations.Nullable;

/**
 * Where something of the simulated cloud is.
 *
 * @param zone null for what belongs to a whole region, and for a job that waits for a zone
 * @param instanceType null for what is no machine
 */
record Site(
    String region,
    @Nullable String zone,
    @Nullable String instanceType,
    boolean spot,
    @Nullable String reservation) {
  static Site of(Place place) {
    return new Site(
        place.region(), place.zone(), place.instanceType(), place.spot(), place.reservation());
  }

  static Site of(String region, @Nullable String zone) {
    return new Site(region, zone, null, false, null);
  }

  Site in(String newZone) {
    return new Site(region, newZone, instanceType, spot, reservation);
  }
}
