package dev.berth.ledger;

/**
 * The event numbers of a commit: its events have {@code firstSeq} to {@code lastSeq} in their
 * order. Without events {@code lastSeq} is the newest number of the realm and {@code firstSeq} one
 * more.
 */
public record Committed(long firstSeq, long lastSeq) {
  public int events() {
    return Math.toIntExact(lastSeq - firstSeq + 1);
  }
}
