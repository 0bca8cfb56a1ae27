package dev.berth.decisions;

import dev.berth.model.Webhook;
import java.time.Instant;
import java.util.Map;

/** How far webhooks are. */
final class HookRules {
  private HookRules() {}

  static Reply decide(Draft draft, Message.Hook message, Instant now) {
    Webhook known = draft.find(Webhook.class, message.name()).orElse(null);
    switch (message) {
      case Message.Hook.Begun begun -> {
        if (known == null) {
          draft.put(new Webhook(begun.name(), begun.seq(), 0, now));
        }
      }
      case Message.Hook.Sent sent -> {
        // One that is gone meanwhile stays so.
        if (known != null) {
          Webhook further = known.at(sent.seq(), sent.skipped());
          draft.put(further);
          if (sent.skipped() > 0) {
            draft.event(
                "webhook.skipped",
                further,
                Event.SERVER,
                Map.of("skipped", sent.skipped(), "seq", sent.seq()));
          }
        }
      }
      case Message.Hook.Gone _ -> {
        if (known != null) {
          draft.delete(known);
        }
      }
    }
    return new Reply.None();
  }
}
