package dev.berth.catalog.read;

import org.jspecify.annotations.Nullable;

/** Ends the reading of a row that is no offer. The rows after it are read on. */
final class RowRefusedException extends Exception {
  private static final long serialVersionUID = 1L;

  private final RefusalReason reason;

  RowRefusedException(RefusalReason reason) {
    this(reason, null);
  }

  RowRefusedException(RefusalReason reason, @Nullable Throwable cause) {
    // A file may have millions of such rows, and where in the code they ended tells nobody
    // anything.
    super(reason.sentence(), cause, false, false);
    this.reason = reason;
  }

  RefusalReason reason() {
    return reason;
  }
}
