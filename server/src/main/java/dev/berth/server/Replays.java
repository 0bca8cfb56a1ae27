package dev.berth.server;

import dev.berth.control.Codec;
import dev.berth.decisions.Reply;
import dev.berth.ledger.Commit;
import dev.berth.ledger.ConstraintException;
import dev.berth.ledger.IdempotencyKey;
import dev.berth.ledger.Ledger;
import dev.berth.ledger.ReplyLookup;
import dev.berth.ledger.ReplyRow;
import dev.berth.ledger.Tenure;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Answers a repeated request like the first time, by its Idempotency-Key, where nothing is there
 * any more that it could be answered from: what was deleted, and what no message decides.
 */
final class Replays {
  private final Ledger ledger;
  private final Supplier<Tenure> tenure;
  private final Keyring keys;
  private final InstantSource clock;

  Replays(Ledger ledger, Supplier<Tenure> tenure, Keyring keys, InstantSource clock) {
    this.ledger = ledger;
    this.tenure = tenure;
    this.keys = keys;
    this.clock = clock;
  }

  /** Something that is done for a request. */
  interface Work<V> {
    V carryOut() throws InterruptedException;
  }

  /**
   * The answer of a deletion that was carried out before.
   *
   * @throws ApiException where the key was used for another request
   */
  Optional<Answer> findDeletion(Call call) {
    return MessageSender.key(call)
        .flatMap(key -> find(key, MessageSender.hash(call, MessageSender.deletion(call))))
        .flatMap(Codec::findAnswer)
        .map(Replays::answer);
  }

  private static Answer answer(String json) {
    return new Answer(200, Map.of(), "application/json", json.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Carries work out once for each key, and keeps what it answers. Of two at the same time both may
   * do so: they get on with each other.
   *
   * @param request what the key stands for; it may hold secrets
   * @param type what is answered, which holds none
   */
  <V> V once(Call call, Object request, Class<V> type, Work<V> work) throws InterruptedException {
    IdempotencyKey key = MessageSender.key(call).orElse(null);
    if (key == null) {
      return work.carryOut();
    }
    String hash = MessageSender.hash(call, Map.of("request", fingerprint(request)));
    String before = find(key, hash).flatMap(Codec::findAnswer).orElse(null);
    if (before != null) {
      return ApiJson.MAPPER.readValue(before, type);
    }
    V answer = work.carryOut();
    keep(key, hash, answer);
    return answer;
  }

  /** What is kept of a request must not be a hash that secrets can be tried against. */
  private String fingerprint(Object request) {
    String json = ApiJson.MAPPER.writeValueAsString(request);
    String print = keys.fingerprint(json);
    // A server without a key keeps secrets as they are.
    return print.isEmpty() ? Tokens.sha256(json) : print;
  }

  /** Carries a deletion out that no message decides, and keeps what it answers. */
  <V> V delete(Call call, Work<V> work) throws InterruptedException {
    V answer = work.carryOut();
    MessageSender.key(call)
        .ifPresent(
            key -> keep(key, MessageSender.hash(call, MessageSender.deletion(call)), answer));
    return answer;
  }

  private void keep(IdempotencyKey key, String hash, Object answer) {
    String reply =
        Codec.reply(new Reply.Accepted("", ""), ApiJson.MAPPER.writeValueAsString(answer));
    ReplyRow row = new ReplyRow(key, hash, reply, clock.instant());
    try {
      ledger.commit(tenure.get(), Commit.builder().reply(row).build());
    } catch (ConstraintException e) {
      // Somebody else did the same at the same time, or something else, which is refused.
      if (find(key, hash).isEmpty()) {
        throw e;
      }
    }
  }

  private Optional<String> find(IdempotencyKey key, String hash) {
    return switch (ledger.findReply(Ledger.MAIN_REALM, key, hash)) {
      case ReplyLookup.Unseen _ -> Optional.empty();
      case ReplyLookup.Replay replay -> Optional.of(replay.reply());
      case ReplyLookup.OtherRequest _ ->
          throw new ApiException(
              422, "the idempotency key was already used for another request; choose a new one");
    };
  }
}
