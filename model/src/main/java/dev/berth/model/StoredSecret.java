package dev.berth.model;

import java.time.Instant;
import java.util.regex.Pattern;

/**
 * A word that a project keeps for its runs. The word itself is not here: only what the server's key
 * made of it. One that is deleted is gone; events remember that it was there.
 *
 * @param sealed the encrypted value, with the id of the key
 */
public record StoredSecret(
    String project, String name, String sealed, Instant createdAt, Instant updatedAt)
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
    return id(project, name);
  }

  @Override
  public String state() {
    return "kept";
  }

  @Override
  public boolean active() {
    return true;
  }

  @Override
  public String uniqueName() {
    return name;
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
