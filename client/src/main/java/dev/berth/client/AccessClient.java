package dev.berth.client;

import dev.berth.model.api.LoginView;
import dev.berth.model.api.MemberList;
import dev.berth.model.api.MemberRequest;
import dev.berth.model.api.MemberView;
import dev.berth.model.api.NewTokenView;
import dev.berth.model.api.OidcLoginRequest;
import dev.berth.model.api.ProjectList;
import dev.berth.model.api.ProjectRequest;
import dev.berth.model.api.ProjectView;
import dev.berth.model.api.RevealedSecretView;
import dev.berth.model.api.SecretList;
import dev.berth.model.api.SecretRequest;
import dev.berth.model.api.SecretView;
import dev.berth.model.api.TokenList;
import dev.berth.model.api.TokenRequest;
import dev.berth.model.api.TokenView;
import dev.berth.model.api.UserList;
import dev.berth.model.api.UserRequest;
import dev.berth.model.api.UserRoleRequest;
import dev.berth.model.api.UserView;
import org.jspecify.annotations.Nullable;

/** The calls about users, projects, members, tokens and secrets. */
public final class AccessClient {
  private final BerthClient client;

  AccessClient(BerthClient client) {
    this.client = client;
  }

  public UserList users() {
    return get("/users", UserList.class);
  }

  public UserView makeUser(UserRequest request) {
    return client.call("POST", "/users", request, null, UserView.class);
  }

  /** Gives a user another global role. */
  public UserView changeUser(String name, UserRoleRequest request) {
    return client.call("POST", user(name), request, null, UserView.class);
  }

  public UserView deleteUser(String name) {
    return client.call("DELETE", user(name), null, null, UserView.class);
  }

  private static String user(String name) {
    return "/users/" + BerthClient.encoded(name);
  }

  /** The projects that the caller may see. */
  public ProjectList projects() {
    return get("/projects", ProjectList.class);
  }

  public ProjectView makeProject(ProjectRequest request) {
    return client.call("POST", "/projects", request, null, ProjectView.class);
  }

  public ProjectView deleteProject(String name) {
    return client.call("DELETE", project(name), null, null, ProjectView.class);
  }

  public MemberList members(String project) {
    return get(project(project) + "/members", MemberList.class);
  }

  /** Makes a user a member, or gives a member another role. */
  public MemberView putMember(String project, MemberRequest request) {
    return client.call("POST", project(project) + "/members", request, null, MemberView.class);
  }

  public MemberView removeMember(String project, String user) {
    return client.call(
        "DELETE",
        project(project) + "/members/" + BerthClient.encoded(user),
        null,
        null,
        MemberView.class);
  }

  /** The secrets of a project, without values. */
  public SecretList secrets(String project) {
    return get(secretsOf(project), SecretList.class);
  }

  /** Keeps a secret, or gives one that is there another value. */
  public SecretView putSecret(String project, SecretRequest request) {
    return client.call("POST", secretsOf(project), request, null, SecretView.class);
  }

  /** A secret, without its value. */
  public SecretView secret(String project, String name) {
    return get(path(secretsOf(project), name, ""), SecretView.class);
  }

  /** The value of a secret; an event says who saw it. */
  public RevealedSecretView revealSecret(String project, String name) {
    return client.call(
        "POST", path(secretsOf(project), name, "/reveal"), null, null, RevealedSecretView.class);
  }

  public SecretView deleteSecret(String project, String name) {
    return client.call("DELETE", path(secretsOf(project), name, ""), null, null, SecretView.class);
  }

  private static String secretsOf(String project) {
    return project(project) + "/secrets";
  }

  private static String path(String secrets, String name, String rest) {
    return secrets + "/" + BerthClient.encoded(name) + rest;
  }

  private static String project(String name) {
    return "/projects/" + BerthClient.encoded(name);
  }

  /**
   * Tokens that work.
   *
   * @param user whose; null for the caller's own
   */
  public TokenList tokens(@Nullable String user) {
    return get(
        "/tokens" + (user == null ? "" : "?user=" + BerthClient.encoded(user)), TokenList.class);
  }

  /** Those of everybody. */
  public TokenList allTokens() {
    return get("/tokens?all=true", TokenList.class);
  }

  /** Makes a token; repeated with the same key it takes effect once, and has no secret to show. */
  public NewTokenView makeToken(TokenRequest request, String idempotencyKey) {
    return client.call("POST", "/tokens", request, idempotencyKey, NewTokenView.class);
  }

  public TokenView revokeToken(String token) {
    return client.call(
        "DELETE", "/tokens/" + BerthClient.encoded(token), null, null, TokenView.class);
  }

  /** Whether and how one can log in; needs no token. */
  public LoginView login() {
    return get("/login", LoginView.class);
  }

  /** Exchanges an ID token for a token; needs no token. */
  public NewTokenView logIn(OidcLoginRequest request, String idempotencyKey) {
    return client.call("POST", "/login/oidc", request, idempotencyKey, NewTokenView.class);
  }

  /** Revokes the token of this client. */
  public TokenView logOut() {
    return client.call("POST", "/logout", null, null, TokenView.class);
  }

  private <T> T get(String path, Class<T> type) {
    return client.call("GET", path, null, null, type);
  }
}
