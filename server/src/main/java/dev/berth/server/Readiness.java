package dev.berth.server;

import dev.berth.control.ControlPlane;
import dev.berth.control.LoopStatus;
import dev.berth.ledger.Ledger;
import dev.berth.ledger.LedgerException;
import dev.berth.ledger.RealmStatus;
import dev.berth.model.api.ReadyView;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether requests should be sent to this server. Strangers may ask, so that the answer names
 * no details, and the storage is not asked more often than once a second.
 */
final class Readiness {
  /** What waits for longer than this does not get on. */
  static final Duration SLOW = Duration.ofSeconds(10);

  private static final System.Logger LOG = System.getLogger(Readiness.class.getName());
  private static final Duration FRESH = Duration.ofSeconds(1);

  private final String word;
  private final Look look;
  private final InstantSource clock;
  private final ReentrantLock looking = new ReentrantLock();

  /** The last answer; null before the first. Written under the lock. */
  private volatile @Nullable Seen last;

  /** What was seen: a sentence about what is wrong, or null. */
  private record Seen(Instant at, @Nullable String problem) {}

  /** Says what is wrong, or null. */
  private interface Look {
    @Nullable String problem();
  }

  private Readiness(String word, Look look, InstantSource clock) {
    this.word = word;
    this.look = look;
    this.clock = clock;
  }

  /** That of the active server. */
  Readiness(ControlPlane control, Ledger ledger, InstantSource clock) {
    this("ready", () -> problem(control, ledger), clock);
  }

  /**
   * That of a server that stands by.
   *
   * @param storage asks the storage anything, and fails where it does not answer
   */
  static Readiness standingBy(Runnable storage, InstantSource clock) {
    return new Readiness(
        "standby",
        () -> {
          try {
            storage.run();
            return null;
          } catch (LedgerException e) {
            return silent(e);
          }
        },
        clock);
  }

  /** Says yes, or refuses with 503. */
  ReadyView check() {
    String problem = seen().problem();
    if (problem != null) {
      throw new ApiException(
          503, "the server is not ready: " + problem, List.of(), Map.of("Retry-After", "1"));
    }
    return new ReadyView(word);
  }

  private Seen seen() {
    Seen known = last;
    if (known != null && clock.instant().isBefore(known.at().plus(FRESH))) {
      return known;
    }
    looking.lock();
    try {
      Seen meanwhile = last;
      if (meanwhile != null && clock.instant().isBefore(meanwhile.at().plus(FRESH))) {
        return meanwhile;
      }
      Seen now = new Seen(clock.instant(), look.problem());
      last = now;
      return now;
    } finally {
      looking.unlock();
    }
  }

  private static @Nullable String problem(ControlPlane control, Ledger ledger) {
    LoopStatus loop = control.loopStatus();
    if (control.failure().isDone()) {
      return "it cannot continue";
    }
    if (!loop.writing()) {
      return "its storage cannot be written to";
    }
    if (loop.lag().compareTo(SLOW) > 0) {
      return "it makes no progress";
    }
    try {
      RealmStatus realm = ledger.findRealm(Ledger.MAIN_REALM).orElse(null);
      boolean ours = realm != null && realm.owner().equals(control.tenure().owner());
      return ours ? null : "another server is active";
    } catch (LedgerException e) {
      return silent(e);
    }
  }

  private static String silent(LedgerException e) {
    LOG.log(System.Logger.Level.WARNING, "The storage does not answer: " + e.getMessage());
    return "its storage does not answer";
  }
}
