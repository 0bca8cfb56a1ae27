package dev.berth.server;

import dev.berth.decisions.Message;
import dev.berth.decisions.Reply;
import dev.berth.model.Member;
import dev.berth.model.Token;
import dev.berth.model.api.NewTokenView;
import dev.berth.model.api.TokenList;
import dev.berth.model.api.TokenRequest;
import dev.berth.model.api.TokenView;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the API does with tokens: show, issue, revoke. */
final class TokenService {
  /** Ten years; who wants longer wants no end. */
  static final long LONGEST_SECONDS = 10L * 365 * 24 * 3600;

  private final AccessStore store;
  private final AccessChanges changes;
  private final RunNames names;
  private final InstantSource clock;

  TokenService(AccessStore store, AccessChanges changes, RunNames names, InstantSource clock) {
    this.store = store;
    this.changes = changes;
    this.names = names;
    this.clock = clock;
  }

  /** The caller's own, or those of others for a global admin. */
  TokenList list(Call call) {
    String user = call.query("user");
    boolean all = call.flag("all");
    if (all || (user != null && !user.equals(call.user()))) {
      requireGlobalAdmin(call, "can see the tokens of others");
    }
    List<Token> tokens =
        all ? store.tokens() : store.tokens(user == null ? call.user() : store.user(user).name());
    Instant now = clock.instant();
    return new TokenList(
        tokens.stream().filter(token -> !token.isExpired(now)).map(AccessStore::view).toList());
  }

  NewTokenView issue(Call call, TokenRequest request) {
    AccessWords.requireName(
        Token.NAME,
        request.name(),
        "letters, digits and . _ -, and must begin with a letter or digit");
    String user = request.user() == null ? call.user() : request.user();
    if (!user.equals(call.user())) {
      requireGlobalAdmin(call, "can create tokens for others");
    }
    Token.Scope scope =
        new Token.Scope(
            request.project(),
            request.role() == null
                ? null
                : AccessWords.word(Member.Role.class, "role", request.role()));
    Instant expires = expires(call, request.expiresInSeconds());
    String secret = Tokens.newSecret();
    String id = names.newTokenId();
    Reply.Accepted accepted =
        changes.send(
            call,
            new Message.Access.IssueToken(
                id, user, request.name(), Tokens.sha256(secret), scope, expires, call.user()),
            request);
    TokenView view =
        store.tokens(user).stream()
            .filter(token -> token.id().equals(accepted.runId()))
            .map(AccessStore::view)
            .findFirst()
            .orElseThrow(() -> noToken(accepted.name()));
    // A repeated request gets the token of the first one, whose secret nobody knows here.
    return new NewTokenView(view, accepted.runId().equals(id) ? secret : null);
  }

  /** What a token makes does not outlast it, or a login that ends would not end. */
  private @Nullable Instant expires(Call call, @Nullable Long seconds) {
    Instant latest = expiryOfCaller(call);
    Instant wanted = wantedExpiry(seconds);
    if (wanted == null || latest == null || !wanted.isAfter(latest)) {
      return wanted == null ? latest : wanted;
    }
    throw ApiException.ofField(
        422,
        "field",
        "expires_in_seconds",
        "your own token expires at "
            + latest
            + ", and the new one cannot outlive it; leave out the time to get the longest possible,"
            + " or ask an admin for a token");
  }

  private @Nullable Instant expiryOfCaller(Call call) {
    String id = call.caller().tokenId();
    return id == null
        ? null
        : store.tokens(call.user()).stream()
            .filter(token -> token.id().equals(id))
            .findFirst()
            .orElseThrow(Authenticator::refusal)
            .expiresAt();
  }

  private @Nullable Instant wantedExpiry(@Nullable Long seconds) {
    if (seconds == null) {
      return null;
    }
    if (seconds < 1 || seconds > LONGEST_SECONDS) {
      throw ApiException.ofField(
          422,
          "field",
          "expires_in_seconds",
          "expected a number from 1 to "
              + LONGEST_SECONDS
              + ", or no value for a token that never expires");
    }
    return Instant.ofEpochMilli(clock.millis()).plusSeconds(seconds);
  }

  /** Ends a token of the caller, by name or id; a global admin ends any, by id. */
  TokenView revoke(Call call) {
    String named = call.path("token");
    Stream<Token> own = store.tokens(call.user()).stream();
    Token token =
        (call.caller().isGlobalAdmin() ? Stream.concat(own, store.tokens().stream()) : own)
            .filter(
                one ->
                    one.id().equals(named)
                        || (one.name().equals(named) && one.user().equals(call.user())))
            .findFirst()
            .orElseThrow(() -> noToken(named));
    return changes.delete(
        call, new Message.Access.RevokeToken(token.id(), call.user()), AccessStore.view(token));
  }

  /** Ends the token that the caller shows, which may be a limited one. */
  TokenView end(Call call) {
    String id = call.caller().tokenId();
    if (id == null) {
      throw new ApiException(
          409,
          "this is the token in the server's home folder, which cannot be revoked; to use another"
              + " one: berth config --token TOKEN");
    }
    Token token =
        store.tokens(call.user()).stream()
            .filter(one -> one.id().equals(id))
            .findFirst()
            .orElseThrow(Authenticator::refusal);
    changes.send(call, new Message.Access.RevokeToken(id, call.user()), Map.of("revoke", id));
    return AccessStore.view(token);
  }

  private static ApiException noToken(String named) {
    return new ApiException(
        404, "there is no token '" + named + "'; list them with: berth token list");
  }

  private static void requireGlobalAdmin(Call call, String what) {
    if (!call.caller().isGlobalAdmin()) {
      throw new ApiException(403, "only a global admin " + what + "; ask one of them");
    }
  }
}
