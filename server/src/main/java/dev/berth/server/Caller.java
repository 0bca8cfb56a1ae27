package dev.berth.server;

import dev.berth.model.Member;
import dev.berth.model.Token;
import dev.berth.model.User;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Who makes a request.
 *
 * @param memberships the roles of the user by project, whatever the token is limited to
 * @param tokenId the token that was shown; null for that of the home folder
 */
record Caller(
    String user,
    User.Role role,
    Token.Scope scope,
    Map<String, Member.Role> memberships,
    @Nullable String tokenId) {
  Caller {
    memberships = Collections.unmodifiableMap(new TreeMap<>(memberships));
  }

  /** Who needs no token. */
  static final Caller NOBODY =
      new Caller("", User.Role.USER, Token.Scope.UNLIMITED, Map.of(), null);

  /** An admin whose token is not limited. */
  static Caller admin(String user) {
    return new Caller(user, User.Role.ADMIN, Token.Scope.UNLIMITED, Map.of(), null);
  }

  /** Whether everything is allowed. */
  boolean isGlobalAdmin() {
    return role == User.Role.ADMIN && scope.unlimited();
  }

  /**
   * What the user may do in a project with whatever token, if it is there; empty for who is not a
   * member.
   */
  Optional<Member.Role> ownRoleIn(String project) {
    return role == User.Role.ADMIN
        ? Optional.of(Member.Role.ADMIN)
        : Optional.ofNullable(memberships.get(project));
  }

  /** What this call may do in a project, if it is there; empty where it may not even see it. */
  Optional<Member.Role> roleIn(String project) {
    String only = scope.project();
    return only != null && !only.equals(project)
        ? Optional.empty()
        : ownRoleIn(project).map(this::limited);
  }

  private Member.Role limited(Member.Role own) {
    Member.Role highest = scope.role();
    return highest == null || highest.covers(own) ? own : highest;
  }
}
