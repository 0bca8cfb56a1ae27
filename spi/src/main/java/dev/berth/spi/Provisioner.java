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
   * Asks for a resource that carries the request's key and tags. Returns as soon as the provider
   * has accepted; {@link #describe} shows when it is ready.
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
   * @throws BackendException.Permanent where the request can never work
   */
  Found create(CreateRequest request);

  /**
   * Asks the provider to take a resource away, with all that was made together with it. Idempotent;
   * silent when it is gone or was never there; may be called again until {@link #describe} is
   * empty. Returns before it is gone.
   */
  void delete(ResourceRef ref);

  /**
   * Shows one resource now, by the provider's id. Empty only when the provider says that there is
   * no such thing, never because it did not answer. Changes nothing.
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
   * backend's configuration does not use any more. What was made less than the identity's delay ago
   * may be missing; what is gone may be shown that long. Changes nothing. Never a part: where one
   * region does not answer, it throws.
   */
  List<Found> list(Owner owner);

  /**
   * Shows all that carry a key, of which there may be several where the identity looks up. By
   * default out of the list.
   */
  default List<Found> find(Owner owner, String key) {
    return list(owner).stream().filter(found -> found.ref().key().equals(key)).toList();
  }

  /** Whether a machine that powers itself off costs nothing any more. Pure. */
  boolean powerOffEndsBilling();
}
