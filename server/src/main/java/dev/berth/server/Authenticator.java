package dev.berth.server;

import dev.berth.ledger.EntityQuery;
import dev.berth.model.Member;
import dev.berth.model.Token;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Tells who makes a request, by its bearer token. What it knows is at most some seconds old, also
 * where another server changed it.
 */
final class Authenticator {
  /** After so long nothing works any more that was revoked, wherever. */
  static final Duration OLDEST = Duration.ofSeconds(5);

  private static final int MOST_TOKENS = 10_000;
  private static final String PREFIX = "Bearer ";

  private final AccessStore store;
  private final FailedLogins failures;
  private final InstantSource clock;
  private final Recent<Known> recent;
  private final byte[] localHash;
  private final Caller local;

  private record Known(Caller caller, @Nullable Instant expiresAt) {}

  /**
   * Makes one for a server.
   *
   * @param localToken the token of the home folder
   * @param localUser whose it is: a global admin
   */
  Authenticator(AccessStore store, String localToken, String localUser, InstantSource clock) {
    this.store = store;
    this.clock = clock;
    this.failures = new FailedLogins(clock);
    this.recent = new Recent<>(clock, OLDEST, MOST_TOKENS);
    this.localHash = bytes(Tokens.sha256(localToken));
    this.local = Caller.admin(localUser);
  }

  /**
   * The caller of a request.
   *
   * @param address where the request comes from
   * @throws ApiException 401 for a token that is missing or does not work, 429 where too many of
   *     them came from there
   */
  Caller caller(@Nullable String authorization, String address) {
    String hash = hash(authorization);
    if (hash == null) {
      throw refusal();
    }
    if (isLocal(hash)) {
      // Not even many failures keep the owner of the machine out, where everybody has one address.
      return local;
    }
    // A token has so many bits that nobody guesses it, so who has one is not kept out by others
    // who failed, and of whom a proxy makes one address.
    return known(hash).orElseThrow(() -> failure(address, refusal()));
  }

  /**
   * What somebody is told who showed something wrong: the refusal, or 429 where that happened too
   * often before.
   */
  ApiException failure(String address, ApiException refusal) {
    Duration wait = failures.waitOf(address);
    if (wait.isZero()) {
      failures.add(address);
      return refusal;
    }
    long seconds = Math.max(1, wait.plusMillis(999).toSeconds());
    return new ApiException(
        429,
        "too many wrong tokens came from your address; try again in " + seconds + " seconds",
        List.of(),
        Map.of("Retry-After", Long.toString(seconds)));
  }

  /** The caller of a request that was let in before, as far as the token still works. */
  Optional<Caller> callerNow(@Nullable String authorization) {
    String hash = hash(authorization);
    return hash == null ? Optional.empty() : isLocal(hash) ? Optional.of(local) : known(hash);
  }

  /** Something changed here: from now on it counts. */
  void forget() {
    recent.forget();
  }

  static ApiException refusal() {
    return new ApiException(
        401,
        "the token is missing or wrong, was revoked, or has expired; log in with: berth login, or"
            + " set one with: berth config --token TOKEN (in HTTP: 'Authorization: Bearer TOKEN')",
        List.of(),
        Map.of("WWW-Authenticate", "Bearer"));
  }

  private static @Nullable String hash(@Nullable String authorization) {
    return authorization == null
            || !authorization.regionMatches(true, 0, PREFIX, 0, PREFIX.length())
        ? null
        : Tokens.sha256(authorization.substring(PREFIX.length()).strip());
  }

  private boolean isLocal(String hash) {
    return MessageDigest.isEqual(bytes(hash), localHash);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private Optional<Caller> known(String hash) {
    return recent
        .find(hash, this::read)
        .filter(known -> known.expiresAt() == null || known.expiresAt().isAfter(clock.instant()))
        .map(Known::caller);
  }

  private Optional<Known> read(String hash) {
    Token token = store.findToken(hash).orElse(null);
    return token == null
        ? Optional.empty()
        : store
            .findUser(token.user())
            .map(
                user -> {
                  Map<String, Member.Role> roles = new LinkedHashMap<>();
                  store
                      .members(
                          EntityQuery.all("member", EntityQuery.LARGEST_PAGE).ofParent(user.id()))
                      .forEach(member -> roles.put(member.project(), member.role()));
                  return new Known(
                      new Caller(user.name(), user.role(), token.scope(), roles, token.id()),
                      token.expiresAt());
                });
  }
}
