package dev.berth.control;

import dev.berth.decisions.Message;
import dev.berth.decisions.Reply;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A message on its way, with who waits for the reply. */
public record Envelope(
    Message message, CompletableFuture<Reply> reply, @Nullable Idempotency idempotency) {
  public static Envelope of(Message message) {
    return new Envelope(message, new CompletableFuture<>(), null);
  }

  /**
   * A client's own key for its request: the same request with the same key takes effect once.
   *
   * @param answer kept with the reply where the request is accepted, for repetitions that do not
   *     find any more what it was about; null where they do
   */
  public record Idempotency(String scope, String key, String requestHash, @Nullable String answer) {
    /** One whose repetition finds what it is about. */
    public Idempotency(String scope, String key, String requestHash) {
      this(scope, key, requestHash, null);
    }
  }
}
