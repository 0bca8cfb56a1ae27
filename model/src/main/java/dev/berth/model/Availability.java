package dev.berth.model;

import java.util.Locale;

/** Whether an offer can be had now. */
public enum Availability {
  /** The provider does not say; trying will show. */
  UNKNOWN,
  AVAILABLE,
  /** Sold out. */
  NOT_AVAILABLE,
  /** The account may not have more of it. */
  NO_QUOTA,
  /** The account cannot pay for it. */
  NO_BALANCE,
  /** A machine of ours that nobody uses. */
  IDLE,
  /** A machine of ours that is in use. */
  BUSY;

  /** Whether it is worth a try. */
  public boolean isUsable() {
    return this == UNKNOWN || this == AVAILABLE || this == IDLE;
  }

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
