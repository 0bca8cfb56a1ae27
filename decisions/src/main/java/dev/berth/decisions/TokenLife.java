package dev.berth.decisions;

import dev.berth.model.Member;
import dev.berth.model.Token;
import dev.berth.model.User;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Tokens come and go. No event tells a hash, and nobody here knows a secret. */
final class TokenLife {
  private TokenLife() {}

  static Reply issue(Draft draft, Message.Access.IssueToken issue, Instant now) {
    User user = AccessRules.user(draft, issue.user()).orElse(null);
    if (user == null) {
      return AccessRules.noUser(issue.user());
    }
    String project = issue.scope().project();
    if (project != null
        && (AccessRules.project(draft, project).isEmpty() || !isIn(draft, user, project))) {
      return AccessRules.noProject(project);
    }
    Reply.Refused taken = nameTaken(draft, issue).orElse(null);
    if (taken != null) {
      return taken;
    }
    Token token =
        new Token(
            issue.tokenId(),
            user.name(),
            issue.name(),
            issue.sha256(),
            issue.scope(),
            now,
            issue.expiresAt(),
            null);
    draft.put(token);
    draft.event("token.issued", token, issue.actor(), AccessRules.after(facts(token)));
    return new Reply.Accepted(token.id(), token.name());
  }

  /** The refusal of a name that the user has given to another token. */
  static Optional<Reply.Refused> nameTaken(Draft draft, Message.Access.IssueToken issue) {
    return draft.children(Token.class, issue.user()).stream()
        .filter(token -> token.name().equals(issue.name()))
        .findFirst()
        .map(
            token ->
                new Reply.Refused(
                    Reply.Code.NAME_TAKEN,
                    "the token '"
                        + token.name()
                        + "' already exists for this user; revoke it first, or choose another"
                        + " name"));
  }

  private static boolean isIn(Draft draft, User user, String project) {
    return user.isAdmin() || draft.find(Member.class, Member.id(project, user.name())).isPresent();
  }

  static Reply revoke(Draft draft, Message.Access.RevokeToken revoke, Instant now) {
    Token token = draft.find(Token.class, revoke.tokenId()).filter(Token::active).orElse(null);
    if (token == null) {
      return new Reply.Refused(
          Reply.Code.NOT_FOUND, "there is no token '" + revoke.tokenId() + "'");
    }
    end(draft, token, "token.revoked", revoke.actor(), now);
    return new Reply.Accepted(token.id(), token.name());
  }

  /** The time of a token is over. */
  static void overdue(Draft draft, String id, Instant now) {
    draft
        .find(Token.class, id)
        .filter(token -> token.active() && token.isExpired(now))
        .ifPresent(token -> end(draft, token, "token.expired", Event.SERVER, now));
  }

  static void end(Draft draft, Token token, String event, String actor, Instant now) {
    Token ended = token.ended(now);
    draft.put(ended);
    draft.event(event, ended, actor, AccessRules.before(facts(token)));
  }

  private static Map<String, Object> facts(Token token) {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("name", token.name());
    facts.put("user", token.user());
    if (token.scope().project() != null) {
      facts.put("project", token.scope().project());
    }
    if (token.scope().role() != null) {
      facts.put("role", token.scope().role().word());
    }
    if (token.expiresAt() != null) {
      facts.put("expires_at", token.expiresAt().toString());
    }
    return facts;
  }
}
