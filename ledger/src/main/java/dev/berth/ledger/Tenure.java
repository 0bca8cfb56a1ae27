package dev.berth.ledger;

/**
 * The right to write to a realm, until someone takes it over.
 *
 * @param epoch grows with every take-over; commits of older epochs are refused
 * @param seq the number of the newest event at the time of the take-over
 */
public record Tenure(String realm, String owner, long epoch, long seq) {
  public Tenure {
    realm = StorableText.identifier("realm", realm);
    owner = StorableText.label("owner", owner);
  }
}
