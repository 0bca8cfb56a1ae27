package dev.berth.ledger;

/** What retention may remove once it is old. */
public enum Trimmable {
  /** Removed from the oldest on, so that what is left has no gap. */
  EVENTS,
  REPLIES,
  /** Unfinished actions stay, however old. */
  FINISHED_ACTIONS;

  static int requirePositive(int atMost) {
    if (atMost < 1) {
      throw new IllegalArgumentException("at most " + atMost + " rows would never end");
    }
    return atMost;
  }
}
