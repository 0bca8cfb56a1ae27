package dev.berth.spi;

import java.util.List;
import java.util.Optional;

/**
 * Makes and deletes whatever we own at a provider: every kind of resource in the same three words.
 * All methods may be called from any thread. None waits until a resource is ready or gone: a call
 * takes as long as the provider's answer, at most a minute, and then fails with {@link
 * BackendException.Transient}.
 *
 * <p>All methods throw {@link BackendException.Unauthorised}, {@link BackendException.RateLimited}
 * and {@link BackendException.Transient}; others where they are named.
 */
public interface Provisioner {
  /**
   * Asks for a resource that carries the request's marks, and its labels where there is room for
   * them. Returns as soon as the provider has accepted; {@link #describe} shows when it is ready.
   *
   * <p>Where the provider refuses only after that, {@link #describe} shows it as {@link
   * Found.State#REFUSED}: Berth takes the next offer, as after an error of this method.
   *
   * <p>Atomic: where it throws anything but a transient error, nothing was made; a group is made
   * whole or not at all. Idempotent as the backend's {@link Identity} says: asked again with the
   * same key, a backend with tokens or unique names answers with what is there, also while it is
   * being made; one that looks up makes a second one.
   *
   * @throws BackendException.NoCapacity where the offer is sold out
   * @throws BackendException.QuotaExceeded where the account may not have more
   * @throws BackendException.Unsupported where the request asks for what {@link Compute#traits} has
   *     not; see {@link CreateRequest#requireOnly}
   * @throws BackendException.NameTaken where a resource that is not this owner's has the name that
   *     this one would get: who answers with it would let Berth use, and delete, what others own
   * @throws BackendException.Permanent where the request can never work
   */
  Found create(CreateRequest request);

  /**
   * Asks the provider to take a resource away, with all that was made together with it. Idempotent;
   * silent when it is gone or was never there; called again as long as {@link #describe} shows it.
   * Returns before it is gone.
   */
  void delete(ResourceRef ref);

  /**
   * Shows one resource now, by the provider's id. Empty only when the provider says that there is
   * no such thing, never because it did not answer. What was made less than {@link
   * Identity#visibleWithin} ago may be missing, and is shown from then on until it is gone. Changes
   * nothing.
   */
  Optional<Found> describe(ResourceRef ref);

  /**
   * Shows several resources now, each as {@link #describe(ResourceRef)} does and in the same order.
   * Called with at most {@link #describedAtOnce} of them. By default one after the other.
   */
  default List<Optional<Found>> describe(List<ResourceRef> refs) {
    return refs.stream().map(this::describe).toList();
  }

  /**
   * How many resources the provider shows by one call: the size of the lists that {@link
   * #describe(List)} gets. Larger where that costs one call of the account's limits. Pure.
   */
  default int describedAtOnce() {
    return 1;
  }

  /**
   * Shows everything of every kind that carries the owner's mark, in all regions, also what this
   * backend's configuration does not use any more. What was made less than {@link
   * Identity#visibleWithin} ago may be missing; what is gone may be shown that long. Never what was
   * refused. Changes nothing. A region that cannot be looked at is named in the answer and does not
   * hide the others; where nothing can be looked at, it throws.
   */
  Listing list(Owner owner);

  /**
   * Shows all that carry a key, of which there may be several where the identity looks up, without
   * their parts. By default out of the list.
   *
   * @param region where it was asked for, so that no other one needs to be looked at
   * @throws BackendException.Transient where that region cannot be looked at
   */
  default List<Found> find(Owner owner, String key, String region) {
    Listing listing = list(owner);
    String reason = listing.unseen().get(region);
    if (reason != null) {
      throw new BackendException.Transient(
          "the region %s could not be looked at: %s".formatted(region, reason), null);
    }
    return listing.stream()
        .filter(found -> found.ref().key().equals(key) && found.partOf() == null)
        .toList();
  }

  /** Whether a machine that powers itself off costs nothing any more. Pure. */
  boolean powerOffEndsBilling();
}
