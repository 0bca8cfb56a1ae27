package dev.berth.server;

import dev.berth.control.ControlPlane;
import dev.berth.ledger.Ledger;
import dev.berth.ledger.RealmStatus;
import java.time.Duration;

/** Tells when something has happened, for requests that wait for it. */
interface Happenings {
  /** The number of the newest event. */
  long newest();

  /** Waits until there are events after a number, at most so long. */
  void await(long after, Duration atMost) throws InterruptedException;

  /** What this server does itself. */
  static Happenings of(ControlPlane control) {
    return new Happenings() {
      @Override
      public long newest() {
        return control.newestEvent();
      }

      @Override
      public void await(long after, Duration atMost) throws InterruptedException {
        control.awaitEvents(after, atMost);
      }
    };
  }

  /** What another server does, as the ledger shows it. */
  static Happenings of(Ledger ledger) {
    return new Happenings() {
      @Override
      public long newest() {
        return ledger.findRealm(Ledger.MAIN_REALM).map(RealmStatus::seq).orElse(0L);
      }

      @Override
      public void await(long after, Duration atMost) throws InterruptedException {
        ledger.awaitEvents(Ledger.MAIN_REALM, after, atMost);
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
      }
    };
  }
}
