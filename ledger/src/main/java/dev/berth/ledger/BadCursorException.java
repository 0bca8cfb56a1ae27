package dev.berth.ledger;

/** A page was asked for with a cursor that this listing did not give out: the caller's mistake. */
public final class BadCursorException extends LedgerException {
  private static final long serialVersionUID = 1;
  private static final String MESSAGE =
      "The page cursor is damaged or belongs to another listing. Start again from the first page.";

  BadCursorException() {
    super(Code.BAD_CURSOR, MESSAGE);
  }

  BadCursorException(Throwable cause) {
    super(Code.BAD_CURSOR, MESSAGE, cause);
  }
}
