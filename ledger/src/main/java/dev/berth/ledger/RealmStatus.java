package dev.berth.ledger;

/**
 * Where a realm stands.
 *
 * @param seq the number of the newest event; 0 before the first
 * @param trimmedSeq the number of the newest event that retention removed; 0 when all are there
 */
public record RealmStatus(String realm, String owner, long epoch, long seq, long trimmedSeq) {}
