package dev.berth.ledger;

/**
 * A key that a client chose so that its request takes effect once.
 *
 * @param scope within which the key is unique, usually project and actor, so that clients cannot
 *     see each other's replies
 */
public record IdempotencyKey(String scope, String key) {
  public IdempotencyKey {
    scope = StorableText.label("scope", scope);
    key = StorableText.label("idempotency key", key);
  }
}
