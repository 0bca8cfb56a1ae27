package dev.berth.ledger;

import java.time.Duration;

/**
 * Where a realm stands.
 *
 * @param seq the number of the newest event; 0 before the first
 * @param trimmedSeq the number of the newest event that retention removed; 0 when all are there
 * @param silentFor how long ago the owner took over, committed or renewed last, by the database's
 *     clock, so that the clocks of the servers do not matter
 * @param staleWrites how many writes were refused because their tenure was over
 */
public record RealmStatus(
    String realm,
    String owner,
    long epoch,
    long seq,
    long trimmedSeq,
    Duration silentFor,
    long staleWrites) {
  public RealmStatus {
    // A clock that was set back is no reason to call the owner younger than now.
    silentFor = silentFor.isNegative() ? Duration.ZERO : silentFor;
  }
}
