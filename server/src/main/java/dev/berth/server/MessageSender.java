package dev.berth.server;

import dev.berth.control.ControlPlane;
import dev.berth.control.Envelope;
import dev.berth.control.MailboxFullException;
import dev.berth.decisions.Message;
import dev.berth.decisions.Reply;
import dev.berth.ledger.IdempotencyKey;
import dev.berth.ledger.LedgerException;
import dev.berth.server.traces.RequestTrace;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Has messages of users decided, once for each Idempotency-Key, and turns refusals into answers.
 */
final class MessageSender {
  static final String KEY = "Idempotency-Key";

  /** How many characters a key has at most. */
  static final int LONGEST_KEY = 200;

  private static final Duration REPLY_WITHIN = Duration.ofSeconds(30);

  /** Runs last; who asks each second would only be in the way. */
  private static final Map<String, String> ROOM_LATER = Map.of("Retry-After", "10");

  private final ControlPlane control;

  MessageSender(ControlPlane control) {
    this.control = control;
  }

  /** A message that is in line, and what is decided about it. */
  record Sent(Message message, CompletableFuture<Reply> reply, RequestTrace trace) {
    /**
     * Waits until the message is decided.
     *
     * @throws ApiException where it is refused, or not decided in time
     */
    Reply.Accepted await() {
      Reply decided;
      try {
        decided = reply.get(REPLY_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
        trace.happened("decided and committed");
      } catch (ExecutionException e) {
        if (e.getCause() instanceof MailboxFullException full) {
          throw new ApiException(
              429, String.valueOf(full.getMessage()), List.of(), Map.of("Retry-After", "1"));
        }
        if (e.getCause() instanceof LedgerException) {
          // It is known later whether it was kept; the key tells then.
          throw notDecided("the server could not write to its state");
        }
        throw new IllegalStateException("the request could not be decided", e.getCause());
      } catch (TimeoutException e) {
        throw notDecided("the server did not decide in time");
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new ApiException(503, "the server is stopping");
      }
      return switch (decided) {
        case Reply.Accepted accepted -> accepted;
        case Reply.Refused refused ->
            throw new ApiException(
                status(refused.code()),
                refused.message(),
                List.of(),
                refused.code() == Reply.Code.TOO_MANY ? ROOM_LATER : Map.of());
        case Reply.None _ -> throw new IllegalStateException("no reply to " + message);
      };
    }
  }

  private static ApiException notDecided(String reason) {
    return new ApiException(
        503,
        reason + "; ask again with the same Idempotency-Key",
        List.of(),
        Map.of("Retry-After", "1"));
  }

  /**
   * Puts a message in line.
   *
   * @param request what the key of the call stands for; another one with the same key is refused
   */
  Sent begin(Call call, Message message, Object request) {
    return begin(call, message, idempotency(call, request, null));
  }

  private Sent begin(Call call, Message message, Envelope.@Nullable Idempotency idempotency) {
    call.trace().happened("in line to be decided");
    return new Sent(
        message,
        control.send(new Envelope(message, new CompletableFuture<>(), idempotency)),
        call.trace());
  }

  /** The same, and waits until it is decided. */
  Reply.Accepted send(Call call, Message message, Object request) {
    return begin(call, message, request).await();
  }

  /** The same for what happens each time that it is asked for, whatever key comes with it. */
  Reply.Accepted sendAlways(Call call, Message message) {
    return begin(call, message, (Envelope.Idempotency) null).await();
  }

  /**
   * Sends a message that deletes what the path names, and waits until it is decided.
   *
   * @param last what is answered, also to a repetition that finds nothing any more
   */
  <V> V delete(Call call, Message message, V last) {
    String answer = ApiJson.MAPPER.writeValueAsString(last);
    begin(call, message, idempotency(call, deletion(call), answer)).await();
    return last;
  }

  /** What a key stands for that comes with a deletion: the path says nearly all of it. */
  static Object deletion(Call call) {
    return Map.of("forget", call.flag("forget"));
  }

  private static int status(Reply.Code code) {
    return switch (code) {
      case NAME_TAKEN, NOT_FINISHED, LAST_ONE -> 409;
      case NOT_ALLOWED -> 403;
      case NOT_FOUND -> 404;
      case KEY_REUSED, NOT_SUPPORTED -> 422;
      case TOO_MANY -> 429;
    };
  }

  private static Envelope.@Nullable Idempotency idempotency(
      Call call, Object request, @Nullable String answer) {
    IdempotencyKey key = key(call).orElse(null);
    return key == null
        ? null
        : new Envelope.Idempotency(key.scope(), key.key(), hash(call, request), answer);
  }

  /** The key of a call, which counts for its user in its project. */
  static Optional<IdempotencyKey> key(Call call) {
    String key = call.header(KEY);
    if (key == null) {
      return Optional.empty();
    }
    if (key.isBlank() || key.length() > LONGEST_KEY) {
      throw new ApiException(
          400, "the header 'Idempotency-Key' has 1 to " + LONGEST_KEY + " characters");
    }
    return Optional.of(
        new IdempotencyKey(
            Objects.requireNonNullElse(call.findPath("project"), "") + "/" + call.user(), key));
  }

  /** What tells a repetition from another request; what is asked for is not in every body. */
  static String hash(Call call, Object request) {
    return Tokens.sha256(call.target() + "\n" + ApiJson.MAPPER.writeValueAsString(request));
  }
}
