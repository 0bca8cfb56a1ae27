package dev.berth.model;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A word that a project keeps for its runs. The word itself is not here: only what the server's key
 * made of it. A value that was replaced or deleted stays as a former one, because output of jobs
 * that had it must hide it for as long as it can be read.
 *
 * @param sealed the encrypted value, with the id of the key
 * @param replacedAt until when this was the value; null where it is
 */
public record StoredSecret(
    String project,
    String name,
    String sealed,
    Instant createdAt,
    Instant updatedAt,
    @Nullable Instant replacedAt)
    implements Entity {
  /** What names of secrets look like. */
  public static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,200}");

  /** The longest value, in bytes of UTF-8: it must fit into a variable of a process. */
  public static final int LONGEST_VALUE = 64 * 1024;

  public StoredSecret {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException("a secret cannot have this name");
    }
  }

  public StoredSecret(
      String project, String name, String sealed, Instant createdAt, Instant updatedAt) {
    this(project, name, sealed, createdAt, updatedAt, null);
  }

  /** The id of a project's secret. */
  public static String id(String project, String name) {
    return project + "/" + name;
  }

  @Override
  public Kind kind() {
    return Kind.SECRET;
  }

  @Override
  public String id() {
    // No two values are sealed alike, even where they are equal.
    return replacedAt == null
        ? id(project, name)
        : id(project, name) + "/" + Sha256.of(sealed.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public String state() {
    return active() ? "kept" : "former";
  }

  @Override
  public boolean active() {
    return replacedAt == null;
  }

  /** A former value belongs to the secret whose value it was, which may be gone. */
  @Override
  public @Nullable String parent() {
    return active() ? null : id(project, name);
  }

  @Override
  public @Nullable String uniqueName() {
    return active() ? name : null;
  }

  /** The same as a value of the past. */
  public StoredSecret former(Instant now) {
    return new StoredSecret(project, name, sealed, createdAt, updatedAt, now);
  }

  /** With another value. */
  public StoredSecret with(String newSealed, Instant now) {
    return new StoredSecret(project, name, newSealed, createdAt, now);
  }

  /** Without the value, also where it is encrypted. */
  @Override
  public String toString() {
    return "StoredSecret[" + id() + "]";
  }
}
