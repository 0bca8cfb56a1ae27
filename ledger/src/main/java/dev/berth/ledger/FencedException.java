package dev.berth.ledger;

/**
 * The commit's tenure is over, so nothing was written.
 *
 * <p>Stop deciding for this realm: either another server does, or this one must take over again and
 * reload.
 */
public final class FencedException extends LedgerException {
  private static final long serialVersionUID = 1;

  static FencedException takenOver(Tenure tenure) {
    return new FencedException(tenure, "a later epoch took over");
  }

  static FencedException afterUnknownCommit(Tenure tenure) {
    return new FencedException(tenure, "the outcome of an earlier commit is not known");
  }

  private FencedException(Tenure tenure, String reason) {
    super(
        Code.FENCED,
        "Epoch "
            + tenure.epoch()
            + " of realm '"
            + tenure.realm()
            + "' may not write any more: "
            + reason
            + ". Nothing was written.");
  }
}
