package dev.berth.model;

import java.time.Instant;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a program shows to act as a user. Its secret is known to nobody but its holder: only the
 * hash is kept.
 *
 * @param name what the user calls it
 * @param sha256 of the secret, in hexadecimal
 * @param scope what it is limited to
 * @param expiresAt null for never
 * @param endedAt when it was revoked, or its time was over; null while it works
 */
public record Token(
    String id,
    String user,
    String name,
    String sha256,
    Scope scope,
    Instant createdAt,
    @Nullable Instant expiresAt,
    @Nullable Instant endedAt)
    implements Entity {
  /** What names of tokens look like. */
  public static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");

  /**
   * How much less a token may do than its user.
   *
   * @param project the only project it is for; null for all of the user's
   * @param role the highest role it has in a project; null for the user's own
   */
  public record Scope(@Nullable String project, Member.@Nullable Role role) {
    /** As much as the user. */
    public static final Scope UNLIMITED = new Scope(null, null);

    public boolean unlimited() {
      return project == null && role == null;
    }
  }

  public Token {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException("a token cannot be called '" + name + "'");
    }
  }

  @Override
  public Kind kind() {
    return Kind.TOKEN;
  }

  @Override
  public String project() {
    return "";
  }

  @Override
  public String state() {
    return active() ? "active" : "ended";
  }

  @Override
  public boolean active() {
    return endedAt == null;
  }

  @Override
  public @Nullable Instant due() {
    return active() ? expiresAt : null;
  }

  /** The user. */
  @Override
  public String parent() {
    return user;
  }

  /** The hash, so that one look finds who shows the secret. */
  @Override
  public String uniqueName() {
    return sha256;
  }

  /** Whether its time is over. */
  public boolean isExpired(Instant now) {
    return expiresAt != null && !expiresAt.isAfter(now);
  }

  public Token ended(Instant now) {
    return new Token(id, user, name, sha256, scope, createdAt, expiresAt, now);
  }

  /** Without the hash, which is nobody's business. */
  @Override
  public String toString() {
    return "Token[" + id + " of " + user + "]";
  }
}
