package dev.berth.server;

import dev.berth.model.Member;
import dev.berth.model.User;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Lets callers do what they may. What they may not see is to them as if it were not there. */
final class Gate {
  private static final int MOST_PROJECTS = 10_000;

  private final AccessStore store;

  /** Projects that are there, by name. */
  private final Recent<Boolean> projects;

  Gate(AccessStore store, InstantSource clock) {
    this.store = store;
    this.projects = new Recent<>(clock, Authenticator.OLDEST, MOST_PROJECTS);
  }

  /** Something changed here: from now on it counts. */
  void forget() {
    projects.forget();
  }

  /**
   * Lets a caller through.
   *
   * @param project the one of the path, or null
   * @throws ApiException 403 for who must not, and 404 for who must not even know
   */
  void pass(Caller caller, Need need, @Nullable String project) {
    if (need == Need.GLOBAL_ADMIN && project != null) {
      passInto(caller, Member.Role.VIEWER, project);
    }
    Member.Role needed = need.role().orElse(null);
    if (needed != null) {
      passInto(caller, needed, String.valueOf(project));
    } else if (need == Need.GLOBAL_ADMIN && !caller.isGlobalAdmin()) {
      throw new ApiException(
          403,
          caller.role() == User.Role.ADMIN
              ? "this needs a global admin, and your token is limited; use one that is not"
              : "this needs a global admin; another global admin can make you one");
    } else if (need == Need.UNLIMITED_TOKEN && !caller.scope().unlimited()) {
      throw new ApiException(403, "your token is restricted; this requires an unrestricted token");
    }
  }

  private void passInto(Caller caller, Member.Role needed, String project) {
    Member.Role role = roleIn(caller, project).orElseThrow(() -> noProject(project));
    if (role.covers(needed)) {
      return;
    }
    boolean token = caller.ownRoleIn(project).filter(own -> own.covers(needed)).isPresent();
    throw new ApiException(
        403,
        "this needs the role "
            + needed.word()
            + " in the project '"
            + project
            + "', and "
            + (token
                ? "your token is limited to " + role.word() + "; use one that is not"
                : "you are a "
                    + role.word()
                    + " there; "
                    + (needed == Member.Role.ADMIN
                        ? "an admin of the project or a global admin"
                        : "a manager or admin of the project, or a global admin,")
                    + " can give it to you"));
  }

  /** What a caller may do in a project that is there. */
  Optional<Member.Role> roleIn(Caller caller, String project) {
    return caller.roleIn(project).filter(_ -> isThere(project));
  }

  private boolean isThere(String project) {
    return projects.find(project, name -> store.findProject(name).map(_ -> true)).isPresent();
  }

  /** The same sentence for a project that is not there and for one that the caller must not see. */
  static ApiException noProject(String project) {
    return new ApiException(
        404, "there is no project '" + project + "', or you are not a member of it");
  }
}
