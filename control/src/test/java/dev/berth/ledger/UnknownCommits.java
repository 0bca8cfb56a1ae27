package dev.berth.ledger;

import org.jspecify.annotations.NullMarked;

/** Lets tests of other modules doubt a commit as the ledger does. */
@NullMarked
public final class UnknownCommits {
  private UnknownCommits() {}

  public static CommitUnknownException of(Tenure tenure) {
    return new CommitUnknownException(tenure, new IllegalStateException("The disk went away."));
  }
}
