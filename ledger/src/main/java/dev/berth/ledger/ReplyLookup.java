package dev.berth.ledger;

import java.time.Instant;
import java.util.Optional;

/** What the ledger knows about an idempotency key. */
public sealed interface ReplyLookup {
  static ReplyLookup of(Optional<Stored<ReplyRow>> found, String requestHash) {
    if (found.isEmpty()) {
      return new Unseen();
    }
    ReplyRow row = found.get().row();
    return row.requestHash().equals(requestHash)
        ? new Replay(row.reply(), found.get().seq(), row.at())
        : new OtherRequest();
  }

  /** A request that carries an idempotency key. */
  record Question(IdempotencyKey key, String requestHash) {}

  /** The key was never used, or its reply was removed by retention: carry the request out. */
  record Unseen() implements ReplyLookup {}

  /** The same request was carried out: give the same reply again. */
  record Replay(String reply, long seq, Instant at) implements ReplyLookup {}

  /** The key was used for another request: refuse this one. */
  record OtherRequest() implements ReplyLookup {}
}
