package dev.berth.ledger;

import java.time.Instant;

/**
 * The reply to a request with an idempotency key, written in the commit that carried it out.
 *
 * @param requestHash tells a repetition from another request that took the same key
 */
public record ReplyRow(IdempotencyKey key, String requestHash, String reply, Instant at) {
  public ReplyRow {
    requestHash = StorableText.identifier("request hash", requestHash);
    reply = StorableText.exact("reply", reply);
    at = StorableText.time("at", at);
  }
}
