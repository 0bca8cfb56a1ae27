package dev.berth.ledger;

/**
 * The commit's tenure is over, so nothing was written.
 *
 * <p>Stop deciding for this realm: either another server does, or this one must take over again and
 * reload.
 */
public final class FencedException extends LedgerException {
  private static final long serialVersionUID = 1;

  private final boolean takenOver;

  static FencedException takenOver(Tenure tenure) {
    return new FencedException(tenure, true, "a later epoch took over");
  }

  static FencedException afterUnknownCommit(Tenure tenure) {
    return new FencedException(tenure, false, "the outcome of an earlier commit is not known");
  }

  /**
   * Whether a later epoch is in force. Otherwise the tenure waits to be resumed, because a commit
   * of it, whoever made that, is unclear.
   */
  public boolean isTakenOver() {
    return takenOver;
  }

  private FencedException(Tenure tenure, boolean takenOver, String reason) {
    super(
        Code.FENCED,
        "Epoch "
            + tenure.epoch()
            + " of realm '"
            + tenure.realm()
            + "' may not write any more: "
            + reason
            + ". Nothing was written.");
    this.takenOver = takenOver;
  }
}
