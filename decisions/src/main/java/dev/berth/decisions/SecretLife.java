package dev.berth.decisions;

import dev.berth.model.StoredSecret;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Secrets of projects come, change and go. No event tells a value, nor anything made of one. */
final class SecretLife {
  private SecretLife() {}

  static Reply put(Draft draft, Message.Access.PutSecret put, Instant now) {
    if (AccessRules.project(draft, put.project()).isEmpty()) {
      return AccessRules.noProject(put.project());
    }
    StoredSecret known = find(draft, put.project(), put.name());
    StoredSecret secret =
        known == null
            ? new StoredSecret(put.project(), put.name(), put.sealed(), now, now)
            : known.with(put.sealed(), now);
    if (known != null) {
      draft.put(known.former(now));
    }
    draft.put(secret);
    draft.event(
        known == null ? "secret.created" : "secret.updated",
        secret,
        put.actor(),
        known == null
            ? AccessRules.after(facts(secret))
            : AccessRules.change(facts(known), facts(secret)));
    return accepted(secret);
  }

  static Reply delete(Draft draft, Message.Access.DeleteSecret delete, Instant now) {
    StoredSecret secret = find(draft, delete.project(), delete.name());
    if (secret == null) {
      return noSecret(delete.name());
    }
    end(draft, secret, delete.actor(), now);
    return accepted(secret);
  }

  static void end(Draft draft, StoredSecret secret, String actor, Instant now) {
    draft.put(secret.former(now));
    draft.delete(secret);
    draft.event("secret.deleted", secret, actor, AccessRules.before(facts(secret)));
  }

  /** Somebody is about to see a value: first it is written down who. */
  static Reply reveal(Draft draft, Message.Access.RevealSecret reveal) {
    StoredSecret secret = find(draft, reveal.project(), reveal.name());
    if (secret == null) {
      return noSecret(reveal.name());
    }
    draft.event("secret.revealed", secret, reveal.actor(), Map.of("name", secret.name()));
    return accepted(secret);
  }

  private static @Nullable StoredSecret find(Draft draft, String project, String name) {
    return draft.find(StoredSecret.class, StoredSecret.id(project, name)).orElse(null);
  }

  private static Reply noSecret(String name) {
    return new Reply.Refused(
        Reply.Code.NOT_FOUND,
        "there is no secret '" + name + "'; list them with: berth secret list");
  }

  private static Reply.Accepted accepted(StoredSecret secret) {
    return new Reply.Accepted(secret.id(), secret.name());
  }

  private static Map<String, Object> facts(StoredSecret secret) {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("name", secret.name());
    facts.put("updated_at", secret.updatedAt().toString());
    return facts;
  }
}
