package dev.berth.model;

import java.time.Instant;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Somebody who may use the installation. The name is the id: it means the same person for ever, so
 * that events stay clear, and who is deleted may come back under it.
 *
 * @param deletedAt null for one who is there
 * @param identity whom an identity provider knows the user as; null for one who never logged in
 */
public record User(
    String name,
    Role role,
    Instant createdAt,
    @Nullable Instant deletedAt,
    @Nullable Identity identity)
    implements Entity {
  /** What names of users look like; addresses of mail are among them. */
  public static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._@-]{0,99}");

  /** What a user may do outside of projects. */
  public enum Role {
    /** Everything, in every project. */
    ADMIN,
    /** What the projects allow of which the user is a member. */
    USER;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * A person as an identity provider tells people apart, whatever they are called.
   *
   * @param subject never given to somebody else, other than names and mail addresses
   */
  public record Identity(String issuer, String subject) {}

  public User {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException("a user cannot be called '" + name + "'");
    }
  }

  /** One who is there from now on. */
  public static User of(String name, Role role, Instant now) {
    return new User(name, role, now, null, null);
  }

  @Override
  public Kind kind() {
    return Kind.USER;
  }

  @Override
  public String id() {
    return name;
  }

  @Override
  public String project() {
    return "";
  }

  @Override
  public String state() {
    return present() ? "active" : "deleted";
  }

  /** Also of one who is deleted, because the name keeps its meaning. */
  @Override
  public boolean active() {
    return true;
  }

  @Override
  public String uniqueName() {
    return name;
  }

  /** Whether the user is not deleted. */
  public boolean present() {
    return deletedAt == null;
  }

  public boolean isAdmin() {
    return present() && role == Role.ADMIN;
  }

  public User in(Role next) {
    return new User(name, next, createdAt, deletedAt, identity);
  }

  /**
   * Whether a person of an identity provider is another one than the user. One of another provider
   * is not: the server's admin has chosen to believe that one instead.
   */
  public boolean isSomebodyElse(Identity person) {
    return identity != null
        && identity.issuer().equals(person.issuer())
        && !identity.subject().equals(person.subject());
  }

  public User knownAs(Identity person) {
    return new User(name, role, createdAt, deletedAt, person);
  }

  public User deleted(Instant now) {
    return new User(name, role, createdAt, now, identity);
  }
}
