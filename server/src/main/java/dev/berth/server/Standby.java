package dev.berth.server;

import dev.berth.control.Lease;
import dev.berth.ledger.CommitUnknownException;
import dev.berth.ledger.Ledger;
import dev.berth.ledger.LedgerException;
import dev.berth.ledger.RealmStatus;
import dev.berth.ledger.Tenure;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Waits until the server that is active gives no sign of life, and takes its place. */
final class Standby {
  private static final System.Logger LOG = System.getLogger(Standby.class.getName());

  /** How often it is looked at whether the active server lives: nothing tells of a death. */
  private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

  private final Ledger ledger;
  private final String name;

  /** Whether it was said that this server may not take over. */
  private boolean toldWhyNot;

  /**
   * Stands by.
   *
   * @param name of this server, different from that of any other
   */
  Standby(Ledger ledger, String name) {
    this.ledger = ledger;
    this.name = name;
  }

  /**
   * Takes over, now or when the active server is silent.
   *
   * @param waiting hears once whom this server waits for
   * @param looking called before each look, and may refuse to go on by an exception
   */
  Tenure await(Consumer<String> waiting, Runnable looking) throws InterruptedException {
    boolean told = false;
    while (true) {
      try {
        looking.run();
        RealmStatus realm = ledger.findRealm(Ledger.MAIN_REALM).orElse(null);
        Optional<Tenure> tenure = take(realm);
        if (tenure.isPresent()) {
          return tenure.get();
        }
        if (!told && realm != null) {
          waiting.accept(realm.owner());
          told = true;
        }
      } catch (LedgerException e) {
        if (!e.code().retryable()) {
          throw e;
        }
        LOG.log(System.Logger.Level.WARNING, "Standing by without a look: " + e.getMessage());
      }
      Thread.sleep(LOOK_EVERY);
    }
  }

  /** Takes over where nobody is active; empty also where that did not succeed for certain. */
  private Optional<Tenure> take(@Nullable RealmStatus realm) {
    try {
      if (realm == null) {
        return ledger.takeOverIfSilent(Ledger.MAIN_REALM, name, 0, Lease.SILENCE);
      }
      if (realm.owner().equals(name)) {
        // The last try was stored, and nobody knew.
        return ledger.takeOverIfSilent(Ledger.MAIN_REALM, name, realm.epoch(), Duration.ZERO);
      }
      return realm.silentFor().compareTo(Lease.SILENCE) >= 0
          ? ledger.takeOverIfSilent(Ledger.MAIN_REALM, name, realm.epoch(), Lease.SILENCE)
          : Optional.empty();
    } catch (CommitUnknownException e) {
      LOG.log(System.Logger.Level.WARNING, "Taking over is tried again: " + e.getMessage());
      return Optional.empty();
    } catch (LedgerException e) {
      if (e.code() != LedgerException.Code.SCHEMA_NEWER) {
        throw e;
      }
      if (!toldWhyNot) {
        LOG.log(
            System.Logger.Level.WARNING,
            "This server answers reads, and takes over from nobody: " + e.getMessage());
        toldWhyNot = true;
      }
      return Optional.empty();
    }
  }
}
