package dev.berth.ledger;

/**
 * Whether the commit was stored is not known.
 *
 * <p>Drop what is in memory, take the realm over and reload: then the rows tell. Until then the
 * ledger refuses every commit of the same tenure with {@link FencedException}.
 */
public final class CommitUnknownException extends LedgerException {
  private static final long serialVersionUID = 1;

  /** Made by a ledger, and by whoever stands in front of one to doubt its commits. */
  public CommitUnknownException(Tenure tenure, Throwable cause) {
    super(
        Code.COMMIT_UNKNOWN,
        "It is not known whether a commit of realm '"
            + tenure.realm()
            + "' was stored: "
            + cause.getMessage()
            + " Take the realm over again and reload it.",
        cause);
  }
}
