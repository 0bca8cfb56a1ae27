package dev.berth.server;

import dev.berth.client.AccessClient;
import dev.berth.model.api.MemberRequest;
import dev.berth.model.api.ProjectRequest;
import dev.berth.model.api.TokenRequest;
import dev.berth.model.api.UserRequest;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Makes users, projects and tokens for a test, as the server's admin. */
final class People {
  private final AccessClient access;

  People(RunningServer running) {
    this.access = running.client().access();
  }

  void project(String name) {
    access.makeProject(new ProjectRequest(name));
  }

  /** A user with a token that is not limited, which is returned. */
  String user(String name, String role) {
    access.makeUser(new UserRequest(name, role));
    return token(name, "all", null, null, null);
  }

  /** A user who is a member of a project, with a token. */
  String member(String name, String project, String role) {
    String token = user(name, "user");
    join(name, project, role);
    return token;
  }

  void join(String name, String project, String role) {
    access.putMember(project, new MemberRequest(name, role));
  }

  String token(
      String user,
      String name,
      @Nullable String project,
      @Nullable String role,
      @Nullable Long seconds) {
    return Objects.requireNonNull(
        access
            .makeToken(
                new TokenRequest(name, user, project, role, seconds), UUID.randomUUID().toString())
            .secret());
  }
}
