package dev.berth.catalog.gate;

import dev.berth.catalog.SuspectItem;
import java.util.Arrays;
import java.util.Optional;

/** Why a price is not believed. A suspect's reason begins with the words of its fault. */
public enum PriceFault {
  ZERO("zero price"),
  FAR_BELOW_MEDIAN("far below the median"),
  SPOT_ABOVE_ON_DEMAND("spot above on-demand");

  private final String words;

  PriceFault(String words) {
    this.words = words;
  }

  public String words() {
    return words;
  }

  String reason(String figures) {
    return words + ": " + figures;
  }

  /** Empty for a reason that a later version of Berth gave. */
  public static Optional<PriceFault> of(SuspectItem suspect) {
    return Arrays.stream(values())
        .filter(fault -> suspect.reason().startsWith(fault.words + ":"))
        .findFirst();
  }
}
