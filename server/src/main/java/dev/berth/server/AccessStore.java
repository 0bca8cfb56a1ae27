package dev.berth.server;

import dev.berth.control.Codec;
import dev.berth.ledger.EntityKey;
import dev.berth.ledger.EntityQuery;
import dev.berth.ledger.EntityRow;
import dev.berth.ledger.Ledger;
import dev.berth.ledger.Stored;
import dev.berth.model.Member;
import dev.berth.model.Project;
import dev.berth.model.Token;
import dev.berth.model.User;
import dev.berth.model.api.MemberList;
import dev.berth.model.api.MemberView;
import dev.berth.model.api.ProjectView;
import dev.berth.model.api.TokenView;
import dev.berth.model.api.UserList;
import dev.berth.model.api.UserView;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Reads users, projects, members and tokens, from the ledger. */
final class AccessStore {
  private final Ledger ledger;

  AccessStore(Ledger ledger) {
    this.ledger = ledger;
  }

  /** A user who is not deleted. */
  Optional<User> findUser(String name) {
    return User.NAME.matcher(name).matches()
        ? find("user", name).map(User.class::cast).filter(User::present)
        : Optional.empty();
  }

  User user(String name) {
    return findUser(name)
        .orElseThrow(() -> new ApiException(404, "there is no user '" + name + "'"));
  }

  /** A project that is not deleted. */
  Optional<Project> findProject(String name) {
    return Project.NAME.matcher(name).matches()
        ? find("project", name).map(Project.class::cast).filter(Project::present)
        : Optional.empty();
  }

  /** The token of a hash that was not revoked. */
  Optional<Token> findToken(String sha256) {
    return ledger
        .findActiveByName(Ledger.MAIN_REALM, "token", "", sha256)
        .map(AccessStore::entity)
        .map(Token.class::cast);
  }

  Optional<Member> findMember(String project, String user) {
    return User.NAME.matcher(user).matches()
        ? find("member", Member.id(project, user)).map(Member.class::cast)
        : Optional.empty();
  }

  private Optional<Object> find(String kind, String id) {
    return ledger.find(Ledger.MAIN_REALM, new EntityKey(kind, id)).map(AccessStore::entity);
  }

  private static Object entity(Stored<EntityRow> stored) {
    return Codec.entity(stored.row());
  }

  UserList users() {
    return new UserList(
        all("user").stream()
            .map(User.class::cast)
            .filter(User::present)
            .map(AccessStore::view)
            .sorted(Comparator.comparing(UserView::name))
            .toList());
  }

  /** All projects that are not deleted, by name. */
  List<Project> projects() {
    return all("project").stream()
        .map(Project.class::cast)
        .filter(Project::present)
        .sorted(Comparator.comparing(Project::name))
        .toList();
  }

  /** The names of projects that were deleted. */
  List<String> deletedProjects() {
    return all("project").stream()
        .map(Project.class::cast)
        .filter(project -> !project.present())
        .map(Project::name)
        .toList();
  }

  List<Member> members(EntityQuery query) {
    return ledger.listAll(Ledger.MAIN_REALM, query.active()).stream()
        .map(AccessStore::entity)
        .map(Member.class::cast)
        .toList();
  }

  MemberList members(String project) {
    return new MemberList(
        members(EntityQuery.all("member", EntityQuery.LARGEST_PAGE).inProject(project)).stream()
            .map(AccessStore::view)
            .sorted(Comparator.comparing(MemberView::user))
            .toList());
  }

  /** The tokens of all users that were not revoked, the newest first. */
  List<Token> tokens() {
    return all("token").stream().map(Token.class::cast).toList();
  }

  /** The tokens of a user that were not revoked, the newest first. */
  List<Token> tokens(String user) {
    return ledger
        .listAll(
            Ledger.MAIN_REALM,
            EntityQuery.all("token", EntityQuery.LARGEST_PAGE).ofParent(user).active())
        .stream()
        .map(AccessStore::entity)
        .map(Token.class::cast)
        .toList();
  }

  private List<Object> all(String kind) {
    return ledger
        .listAll(Ledger.MAIN_REALM, EntityQuery.all(kind, EntityQuery.LARGEST_PAGE).active())
        .stream()
        .map(AccessStore::entity)
        .toList();
  }

  static UserView view(User user) {
    return new UserView(user.name(), user.role().word(), user.createdAt());
  }

  static ProjectView view(Project project, Member.Role role) {
    return new ProjectView(project.name(), role.word(), project.createdAt());
  }

  static MemberView view(Member member) {
    return new MemberView(member.project(), member.user(), member.role().word(), member.since());
  }

  static TokenView view(Token token) {
    Member.Role role = token.scope().role();
    return new TokenView(
        token.id(),
        token.name(),
        token.user(),
        token.scope().project(),
        role == null ? null : role.word(),
        token.createdAt(),
        token.expiresAt());
  }
}
