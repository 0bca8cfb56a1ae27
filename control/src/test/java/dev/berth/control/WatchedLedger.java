package dev.berth.control;

import dev.berth.ledger.Commit;
import dev.berth.ledger.Committed;
import dev.berth.ledger.ForwardingLedger;
import dev.berth.ledger.Ledger;
import dev.berth.ledger.LedgerException;
import dev.berth.ledger.Tenure;
import dev.berth.ledger.UnknownCommits;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A ledger that remembers the commits that it was given, and fails them as a test wants it. */
final class WatchedLedger extends ForwardingLedger {
  final List<Commit> commits = new CopyOnWriteArrayList<>();

  /** What happens to the next commit; the one after it is fine again. */
  volatile Fate nextCommit = Fate.KEPT;

  /** Called before each commit. */
  volatile Runnable beforeCommit = () -> {};

  enum Fate {
    KEPT,
    /** Written, and nobody knows. */
    UNKNOWN_KEPT,
    /** Not written, and nobody knows. */
    UNKNOWN_LOST,
    /** Not written, and known not to be. */
    REFUSED
  }

  WatchedLedger(Ledger ledger) {
    super(ledger);
  }

  @Override
  public Committed commit(Tenure tenure, Commit commit) {
    beforeCommit.run();
    commits.add(commit);
    Fate fate = nextCommit;
    nextCommit = Fate.KEPT;
    return switch (fate) {
      case KEPT -> super.commit(tenure, commit);
      case UNKNOWN_KEPT -> {
        super.commit(tenure, commit);
        throw UnknownCommits.of(tenure);
      }
      case UNKNOWN_LOST -> throw UnknownCommits.of(tenure);
      case REFUSED -> throw new LedgerException(LedgerException.Code.DISK_FULL, "The disk is full");
    };
  }
}
