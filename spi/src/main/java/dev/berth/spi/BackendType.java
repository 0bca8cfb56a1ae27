package dev.berth.spi;

/** A kind of backend, found on the class path. */
public interface BackendType {
  /** The word that configurations use for it. */
  String name();

  /**
   * Opens the backend. Quick; may fail where the machine lacks something that it needs.
   *
   * @throws BackendException with a sentence that says what to do
   */
  Compute open(BackendContext context);
}
