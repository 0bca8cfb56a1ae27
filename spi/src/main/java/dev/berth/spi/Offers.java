package dev.berth.spi;

/** Where the offers of a backend come from. */
public sealed interface Offers {
  /** The provider is asked. */
  record Live(OfferSource source) implements Offers {}

  /**
   * They stand in the catalog.
   *
   * @param source the name of the {@link OfferSource} there: one of {@link Compute#sources}, or
   *     else one that everybody has
   */
  record Catalogued(String source) implements Offers {}

  /** Nothing is sold: the backend has {@link Compute#ownMachines} and no more. */
  record OwnMachines() implements Offers {}
}
