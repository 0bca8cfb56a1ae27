package dev.berth.model;

import dev.berth.model.offers.CatalogItem;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How we came to a machine that we pay for, and for how long we keep it.
 *
 * @param type the type of its backend
 * @param offer what was bought
 * @param place where it was bought
 * @param fleetId the fleet that it belongs to
 * @param number its number in the fleet
 * @param blocks into how many equal parts it is cut
 * @param placementGroup the key of the placement group that it is in; null for none
 * @param readyBy when it is given up unless it is ready
 * @param idleDuration for how long it is kept without work; null for ever
 * @param idleSince since when it has no work
 * @param unseenSince since when it does not answer
 * @param address the host of its endpoint, which is all that 0.1 stored of it
 * @param equipped whether Berth has connected to it and can run jobs there; null where the backend
 *     runs jobs on its machines itself
 * @param endpoint where it can be reached, once the provider has started it
 */
public record Purchase(
    String type,
    CatalogItem offer,
    Place place,
    String fleetId,
    int number,
    int blocks,
    @Nullable String placementGroup,
    Instant boughtAt,
    Instant readyBy,
    @Nullable Duration idleDuration,
    @Nullable Instant idleSince,
    @Nullable Instant unseenSince,
    @Nullable String address,
    @Nullable InstanceReason reason,
    @Nullable String message,
    @Nullable Boolean equipped,
    @Nullable Endpoint endpoint) {
  public Purchase {
    if (endpoint == null && address != null) {
      endpoint = Endpoint.of(address);
    }
  }

  /** One on which the backend itself runs jobs. */
  public Purchase(
      String type,
      CatalogItem offer,
      Place place,
      String fleetId,
      int number,
      int blocks,
      @Nullable String placementGroup,
      Instant boughtAt,
      Instant readyBy,
      @Nullable Duration idleDuration,
      @Nullable Instant idleSince,
      @Nullable Instant unseenSince,
      @Nullable String address,
      @Nullable InstanceReason reason,
      @Nullable String message) {
    this(
        type,
        offer,
        place,
        fleetId,
        number,
        blocks,
        placementGroup,
        boughtAt,
        readyBy,
        idleDuration,
        idleSince,
        unseenSince,
        address,
        reason,
        message,
        null,
        null);
  }

  /** The same, once Berth can run jobs on it, or not yet. */
  public Purchase equipped(boolean done) {
    return new Purchase(
        type,
        offer,
        place,
        fleetId,
        number,
        blocks,
        placementGroup,
        boughtAt,
        readyBy,
        idleDuration,
        idleSince,
        unseenSince,
        address,
        reason,
        message,
        done,
        endpoint);
  }

  Purchase keptFor(@Nullable Duration newIdleDuration) {
    return new Purchase(
        type,
        offer,
        place,
        fleetId,
        number,
        blocks,
        placementGroup,
        boughtAt,
        readyBy,
        newIdleDuration,
        idleSince,
        unseenSince,
        address,
        reason,
        message,
        equipped,
        endpoint);
  }

  Purchase idle(@Nullable Instant since) {
    return new Purchase(
        type,
        offer,
        place,
        fleetId,
        number,
        blocks,
        placementGroup,
        boughtAt,
        readyBy,
        idleDuration,
        since,
        unseenSince,
        address,
        reason,
        message,
        equipped,
        endpoint);
  }

  Purchase unseen(@Nullable Instant since) {
    return new Purchase(
        type,
        offer,
        place,
        fleetId,
        number,
        blocks,
        placementGroup,
        boughtAt,
        readyBy,
        idleDuration,
        idleSince,
        since,
        address,
        reason,
        message,
        equipped,
        endpoint);
  }

  Purchase at(@Nullable Endpoint newEndpoint) {
    return new Purchase(
        type,
        offer,
        place,
        fleetId,
        number,
        blocks,
        placementGroup,
        boughtAt,
        readyBy,
        idleDuration,
        idleSince,
        unseenSince,
        newEndpoint == null ? null : newEndpoint.host(),
        reason,
        message,
        equipped,
        newEndpoint);
  }

  Purchase saying(String sentence) {
    return new Purchase(
        type,
        offer,
        place,
        fleetId,
        number,
        blocks,
        placementGroup,
        boughtAt,
        readyBy,
        idleDuration,
        idleSince,
        unseenSince,
        address,
        reason,
        sentence,
        equipped,
        endpoint);
  }

  Purchase because(InstanceReason why, @Nullable String sentence) {
    return new Purchase(
        type,
        offer,
        place,
        fleetId,
        number,
        blocks,
        placementGroup,
        boughtAt,
        readyBy,
        idleDuration,
        null,
        unseenSince,
        address,
        why,
        sentence,
        equipped,
        endpoint);
  }
}
