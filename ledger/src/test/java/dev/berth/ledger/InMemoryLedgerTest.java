package dev.berth.ledger;

import java.time.Duration;
import java.time.Instant;

class InMemoryLedgerTest extends LedgerContract {
  private Instant now = Samples.NOON;

  @Override
  Ledger openLedger() {
    return new InMemoryLedger(() -> now);
  }

  @Override
  void letTimePass(String realm, Duration time) {
    now = now.plus(time);
  }
}
