package dev.berth.ledger;

import java.util.Locale;

/** How far an action has come. */
public enum ActionState {
  /** Written down, not handed over: it may still be revoked without a trace in the world. */
  PENDING(false),
  /** Handed over: the world may have changed. At most one of these per resource key. */
  IN_FLIGHT(false),
  DONE(true),
  FAILED(true),
  /** Taken back before it was handed over. */
  REVOKED(true);

  private final boolean finished;

  ActionState(boolean finished) {
    this.finished = finished;
  }

  public boolean finished() {
    return finished;
  }

  /** The word that the database keeps. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  static ActionState ofWord(String word) {
    for (ActionState state : values()) {
      if (state.word().equals(word)) {
        return state;
      }
    }
    throw new LedgerException(
        LedgerException.Code.SCHEMA_NEWER,
        "The database holds an action in state '"
            + word
            + "', which this version of Berth does not know. Install the version that wrote it.");
  }
}
