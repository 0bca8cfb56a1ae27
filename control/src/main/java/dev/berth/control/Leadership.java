package dev.berth.control;

/**
 * Whether this server may still change the world. Commits of a server that was taken over are
 * refused by the ledger; its calls to providers can be refused by nobody but itself.
 */
interface Leadership {
  /** That of a server which nobody can take over from. */
  Leadership KEPT = () -> {};

  /**
   * Returns where nobody can have taken over, and otherwise waits until that is known again; where
   * another server did, it waits until this one ends.
   *
   * @throws InterruptedException the call must not be made
   */
  void awaitHeld() throws InterruptedException;
}
