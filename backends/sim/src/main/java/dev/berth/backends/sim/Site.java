package dev.berth.backends.sim;

import dev.berth.model.Place;
import dev.berth.spi.BackendException;
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

  /** The same, in the zone of something that must be near. */
  Site near(SimResource other) {
    String otherZone = other.site().zone();
    boolean elsewhere =
        !region.equals(other.site().region())
            || (zone != null && otherZone != null && !zone.equals(otherZone));
    if (elsewhere) {
      throw new BackendException.Permanent(
          "%s is in %s and not in %s"
              .formatted(
                  other.id(),
                  otherZone == null ? other.site().region() : otherZone,
                  zone == null ? region : zone),
          null);
    }
    return otherZone == null ? this : in(otherZone);
  }

  Site in(String newZone) {
    return new Site(region, newZone, instanceType, spot, reservation);
  }
}
