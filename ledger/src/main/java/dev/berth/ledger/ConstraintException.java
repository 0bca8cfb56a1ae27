package dev.berth.ledger;

/** The commit breaks a rule of the ledger, so nothing of it was written. */
public final class ConstraintException extends LedgerException {
  private static final long serialVersionUID = 1;

  /** The rule that was broken. */
  public enum Rule {
    /** Two active entities of one kind and project have the same name. */
    ACTIVE_NAME("two active entities of one kind and project have the same name"),
    /** Two actions are in flight for one resource. */
    ONE_IN_FLIGHT("two actions are in flight for one resource"),
    /** An idempotency key has a reply already. */
    REPLY_ONCE("an idempotency key has a reply already"),
    /** Something that no correct program can break, such as the uniqueness of event numbers. */
    OTHER("the database refused a row");

    private final String sentence;

    Rule(String sentence) {
      this.sentence = sentence;
    }
  }

  private final Rule rule;

  ConstraintException(Rule rule, String detail) {
    super(Code.CONSTRAINT, message(rule, detail));
    this.rule = rule;
  }

  ConstraintException(Rule rule, Throwable cause) {
    super(Code.CONSTRAINT, message(rule, String.valueOf(cause.getMessage())), cause);
    this.rule = rule;
  }

  public Rule rule() {
    return rule;
  }

  private static String message(Rule rule, String detail) {
    return "Nothing was written, because " + rule.sentence + " (" + detail + ").";
  }
}
