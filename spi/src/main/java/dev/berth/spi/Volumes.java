package dev.berth.spi;

/**
 * What is done with volumes besides making and deleting them, which {@link Provisioner} does.
 * Errors and times as there.
 */
public interface Volumes {
  /**
   * Finds a volume that somebody else made, by the provider's id, for use by us; it is never
   * deleted by us. Idempotent; changes nothing at the provider.
   *
   * @throws BackendException.Gone where there is no such volume
   */
  Found register(String id, String region);

  /**
   * Attaches a volume to a machine. Idempotent: attached already, it answers the same.
   *
   * @return the name of the device on the machine
   * @throws BackendException.Gone where one of them is not there
   * @throws BackendException.Permanent where it is attached to another machine, or in another zone
   */
  String attach(ResourceRef volume, ResourceRef instance);

  /**
   * Asks to detach. Idempotent; silent when it is not attached, or when one of them is gone.
   * Returns before it is detached.
   *
   * @param force also where the machine does not answer; what was not written may be lost
   */
  void detach(ResourceRef volume, ResourceRef instance, boolean force);

  /** Whether the volume is attached to nothing now; true when it is gone. Changes nothing. */
  boolean isDetached(ResourceRef volume);
}
