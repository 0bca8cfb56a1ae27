package dev.berth.ledger;

import java.util.HashSet;
import java.util.Set;

/**
 * The realms with a commit whose outcome is not known, until they are taken over again. Used by the
 * writer thread only.
 */
final class UnclearRealms {
  private final Set<String> realms = new HashSet<>();

  void requireClear(Tenure tenure) {
    if (realms.contains(tenure.realm())) {
      throw FencedException.afterUnknownCommit(tenure);
    }
  }

  CommitUnknownException doubt(Tenure tenure, LedgerException cause) {
    realms.add(tenure.realm());
    return new CommitUnknownException(tenure, cause);
  }

  /** The new tenure begins behind whatever became of the commits before it. */
  void settle(Tenure begun) {
    realms.remove(begun.realm());
  }
}
