package dev.berth.bench;

import org.jspecify.annotations.Nullable;

/**
 * One measured line of the report.
 *
 * @param value the median of the samples
 * @param peerValue the median of the peer's samples, in the same unit; null without a peer
 */
record Result(Figure figure, double value, @Nullable Double peerValue) {
  Result {
    if ((figure.peer() == null) != (peerValue == null)) {
      throw new IllegalArgumentException("a peer has a name and a value, or there is none");
    }
  }

  /** How many times the peer's value ours is; null without a peer. */
  @Nullable Double ratio() {
    return peerValue == null ? null : value / peerValue;
  }
}
