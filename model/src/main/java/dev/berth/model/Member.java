package dev.berth.model;

import java.time.Instant;
import java.util.Locale;

/** What a user may do in a project. One that ends is deleted; events remember it. */
public record Member(String project, String user, Role role, Instant since) implements Entity {
  /** What a member may do; each may do what those before it may. */
  public enum Role {
    /** Reads. */
    VIEWER,
    /** Has runs and fleets. */
    USER,
    /** Says who the members are. */
    MANAGER,
    /** Has backends, says who is an admin, and deletes the project. */
    ADMIN;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** Whether this role may do what another one may. */
    public boolean covers(Role needed) {
      return compareTo(needed) >= 0;
    }
  }

  /** The id of a user's membership in a project. */
  public static String id(String project, String user) {
    return project + "/" + user;
  }

  @Override
  public Kind kind() {
    return Kind.MEMBER;
  }

  @Override
  public String id() {
    return id(project, user);
  }

  @Override
  public String state() {
    return role.word();
  }

  @Override
  public boolean active() {
    return true;
  }

  /** The user. */
  @Override
  public String parent() {
    return user;
  }

  /** The user: one membership in each project. */
  @Override
  public String uniqueName() {
    return user;
  }

  public Member in(Role next) {
    return new Member(project, user, next, since);
  }
}
