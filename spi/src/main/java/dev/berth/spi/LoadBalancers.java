package dev.berth.spi;

/**
 * Which gateways a load balancer sends traffic to. {@link Provisioner} makes and deletes them.
 * Errors and times as there.
 */
public interface LoadBalancers {
  /**
   * Adds a gateway. Idempotent.
   *
   * @throws BackendException.Gone where one of them is not there
   */
  void register(ResourceRef balancer, ResourceRef gateway);

  /** Takes a gateway out. Idempotent; silent when it is not in, or one of them is gone. */
  void deregister(ResourceRef balancer, ResourceRef gateway);
}
