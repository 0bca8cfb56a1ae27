package dev.berth.model;

import java.time.Instant;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A room of its own for runs and fleets, with members. The name is the id and is given once: what a
 * deleted project left, its finished runs and events, is kept under it and must not come to others.
 *
 * @param deletedAt null for one that is there
 */
public record Project(String name, Instant createdAt, @Nullable Instant deletedAt)
    implements Entity {
  /** What names of projects look like. */
  public static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,49}");

  public Project {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException("a project cannot be called '" + name + "'");
    }
  }

  @Override
  public Kind kind() {
    return Kind.PROJECT;
  }

  @Override
  public String id() {
    return name;
  }

  /** Projects are of the installation: what happens to one is told to who looks after all. */
  @Override
  public String project() {
    return "";
  }

  @Override
  public String state() {
    return present() ? "active" : "deleted";
  }

  /** Also of one that is deleted, because its name stays taken. */
  @Override
  public boolean active() {
    return true;
  }

  @Override
  public String uniqueName() {
    return name;
  }

  /** Whether it is not deleted. */
  public boolean present() {
    return deletedAt == null;
  }

  public Project deleted(Instant now) {
    return new Project(name, createdAt, now);
  }
}
