package dev.berth.server;

import dev.berth.control.Lease;
import dev.berth.ledger.Ledger;
import dev.berth.ledger.Tenure;
import org.jspecify.annotations.Nullable;

/**
 * The signs of life of a server between its take-over and the start of its engine, which gives them
 * from then on: in between lie calls to stores and providers, which may take longer than others
 * wait. Used by the starting thread.
 */
final class FirstLease implements AutoCloseable {
  private @Nullable Lease lease;

  void begin(Ledger ledger, Tenure tenure) {
    if (ledger.isShared()) {
      lease = Lease.begin(ledger, tenure);
    }
  }

  /** Idempotent. */
  @Override
  public void close() {
    Lease begun = lease;
    lease = null;
    if (begun != null) {
      begun.close();
    }
  }
}
