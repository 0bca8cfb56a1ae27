package dev.berth.server;

import dev.berth.ledger.Ledger;
import dev.berth.ledger.LedgerException;
import dev.berth.ledger.RealmStatus;
import dev.berth.ledger.Tenure;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** Waits until the server that is active gives no sign of life, and takes its place. */
final class Standby {
  private static final System.Logger LOG = System.getLogger(Standby.class.getName());

  /** After such a silence a server is taken for dead; a living one speaks every two seconds. */
  static final Duration SILENCE = Duration.ofSeconds(8);

  /** How often it is looked at whether the active server lives: nothing tells of a death. */
  private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

  private final Ledger ledger;
  private final String name;

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
   */
  Tenure await(Consumer<String> waiting) throws InterruptedException {
    boolean told = false;
    while (true) {
      try {
        RealmStatus realm = ledger.findRealm(Ledger.MAIN_REALM).orElse(null);
        Optional<Tenure> tenure =
            realm == null
                ? ledger.takeOverIfSilent(Ledger.MAIN_REALM, name, 0, SILENCE)
                : realm.silentFor().compareTo(SILENCE) >= 0
                    ? ledger.takeOverIfSilent(Ledger.MAIN_REALM, name, realm.epoch(), SILENCE)
                    : Optional.empty();
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
}
