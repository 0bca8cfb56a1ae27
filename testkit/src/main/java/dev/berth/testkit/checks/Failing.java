package dev.berth.testkit.checks;

import dev.berth.testkit.NotApplicable;
import dev.berth.testkit.ProviderSide;
import dev.berth.testkit.Trial;

/** Whether calls can be made to fail. */
final class Failing {
  private Failing() {}

  static ProviderSide.Faults faults(Trial trial) {
    return trial
        .provider()
        .faults()
        .orElseThrow(() -> new NotApplicable("calls of the provider cannot be made to fail"));
  }
}
