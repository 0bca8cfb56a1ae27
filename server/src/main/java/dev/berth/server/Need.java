package dev.berth.server;

import dev.berth.model.Member;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a caller must have for a route. */
enum Need {
  /** Anybody may, without a token. */
  NOTHING(null, "Open to all."),
  /** Any user. */
  TOKEN(null, "For any user."),
  /** Any user, with a token that may do all that its user may. */
  UNLIMITED_TOKEN(null, "For any user, with a token that is not limited."),
  VIEWER(Member.Role.VIEWER, "For viewers of the project."),
  USER(Member.Role.USER, "For users of the project."),
  MANAGER(Member.Role.MANAGER, "For managers of the project."),
  ADMIN(Member.Role.ADMIN, "For admins of the project."),
  GLOBAL_ADMIN(null, "For global admins.");

  private final Member.@Nullable Role role;
  private final String sentence;

  Need(Member.@Nullable Role role, String sentence) {
    this.role = role;
    this.sentence = sentence;
  }

  /** The role in the project of the path; empty where it is not about a project. */
  Optional<Member.Role> role() {
    return Optional.ofNullable(role);
  }

  String sentence() {
    return sentence;
  }
}
