package dev.berth.hosts.gpus;

import java.util.Optional;

/** Percentages as vendors' tools write them. */
final class Percent {
  private Percent() {}

  /** The number; empty for words that say that there is none, and for what is no percentage. */
  static Optional<Integer> read(String text) {
    String digits = text.endsWith("%") ? text.substring(0, text.length() - 1).strip() : text;
    return digits.matches("[0-9]{1,3}")
        ? Optional.of(Integer.parseInt(digits)).filter(percent -> percent <= 100)
        : Optional.empty();
  }
}
