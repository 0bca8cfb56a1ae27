package dev.berth.spi;

import dev.berth.model.Availability;
import dev.berth.model.offers.CatalogItem;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * An open backend: one account, cluster or machine. A backend of machines gives a {@link
 * Provisioner}, one of containers a {@link JobRuntime}, and both may give both. All methods may be
 * called from any thread.
 */
public interface Compute extends AutoCloseable {
  /** What this one can do: what its type can, or less. Pure, and always the same. */
  Traits traits();

  /**
   * How the provider knows our things again, and how soon it shows them. Pure, and always the same.
   */
  Identity identity();

  /** How we get to jobs. Pure. */
  Reach reach();

  /** Where its offers come from. Pure. */
  Offers offers();

  /**
   * Where offers come from that only this account sees, such as prices that need its credentials;
   * {@link Offers.Catalogued} may name one of them. A server collects those that are {@link
   * OfferSource.Kind#OFFLINE} on its schedule, keeps what each account sees apart from what others
   * see, and forgets it with the backend. Names differ within one backend, and stay. Asks nobody.
   */
  default List<OfferSource> sources() {
    return List.of();
  }

  /**
   * Whether this account can have offers: by quota, stock, and what the configuration allows; those
   * that it can never have are left out. Keeps the order. Changes nothing; may ask the provider, at
   * most ten seconds.
   *
   * @throws BackendException.Transient where the provider does not answer
   */
  default List<QualifiedOffer> qualify(List<CatalogItem> items) {
    return items.stream()
        .map(
            item ->
                new QualifiedOffer(
                    item, Availability.UNKNOWN, Optional.ofNullable(item.zone()).stream().toList()))
        .toList();
  }

  /**
   * The disk that a machine of an offer can have, for offers whose {@link CatalogItem#diskMib} is
   * not known because it is chosen at creation: {@link CreateRequest.Machine#diskMib} is then
   * always within it. Empty where the size is not ours to choose. Asked only about offers without a
   * disk; pure.
   */
  default Optional<DiskChoice> disk(CatalogItem item) {
    return Optional.empty();
  }

  /**
   * How a machine of an offer is told at its creation what to do first. {@link
   * CreateRequest.Machine#boot} is in this form, never longer than it allows, and empty where
   * nothing can be handed over. By default cloud-init with at most 16 KB. Pure, and always the
   * same.
   */
  default BootWay bootWay(CatalogItem item) {
    return BootWay.CloudInit.USUAL;
  }

  /**
   * How often the provider lets us call. Berth keeps to it. By default none where machines are
   * there by themselves, and a moderate one elsewhere. Pure.
   */
  default CallLimits callLimits() {
    return offers() instanceof Offers.OwnMachines ? CallLimits.NONE : CallLimits.USUAL;
  }

  /** After how long a machine that is not ready is given up. Pure. */
  default Duration provisioningTimeout(String instanceType) {
    return Duration.ofMinutes(10);
  }

  /**
   * The machines that are there by themselves, with what they have now. Asked again every half
   * minute: one that is not among them any more takes no new jobs until it is there again.
   * Idempotent; changes nothing; may take a second. Empty where machines are bought.
   *
   * @throws BackendException.Transient where it cannot be known, so that nothing is taken for gone
   */
  default List<OwnMachine> ownMachines() {
    return List.of();
  }

  /** Who makes and deletes things; empty where nothing is bought but jobs. Pure. */
  default Optional<Provisioner> provisioner() {
    return Optional.empty();
  }

  /** Who runs jobs; empty where Berth brings its own engine to the machines. Pure. */
  default Optional<JobRuntime> runtime() {
    return Optional.empty();
  }

  /** Present where {@link Trait#VOLUMES} is. Pure. */
  default Optional<Volumes> volumes() {
    return Optional.empty();
  }

  /** Present where {@link Trait#PLACEMENT_GROUPS} is. Pure. */
  default Optional<PlacementGroups> placementGroups() {
    return Optional.empty();
  }

  /** Present where {@link Trait#GATEWAY_LOAD_BALANCERS} is. Pure. */
  default Optional<LoadBalancers> loadBalancers() {
    return Optional.empty();
  }

  /** Present where {@link Trait#QUEUE_POSITION} is. Pure. */
  default Optional<JobQueue> queue() {
    return Optional.empty();
  }

  /** Present where {@link Trait#REWRITING} is. Pure. */
  default Optional<Rewriting> rewriting() {
    return Optional.empty();
  }

  /** Present where {@link Trait#GPU_METRICS} is and {@link #runtime} runs jobs. Pure. */
  default Optional<GpuMetrics> gpuMetrics() {
    return Optional.empty();
  }

  /** Lets go of connections and threads. What was made goes on. Idempotent. */
  @Override
  void close();
}
