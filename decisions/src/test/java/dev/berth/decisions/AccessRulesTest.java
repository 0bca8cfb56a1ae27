package dev.berth.decisions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.Member;
import dev.berth.model.Project;
import dev.berth.model.ResourceVector;
import dev.berth.model.Token;
import dev.berth.model.User;
import dev.berth.planning.testing.TaskBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who may do what, and how that changes. */
final class AccessRulesTest {
  private static final String HASH = "5ec4e7";

  private final Scenario scenario =
      Scenario.with(
          Machines.machine("m1", new ResourceVector(4, 4, 8_192, 20_000, Set.of()), List.of()));

  @BeforeEach
  void aServerStarts() {
    scenario.tell(new Message.Access.Ensure("root", Scenario.PROJECT));
  }

  private Reply makeUser(String name, User.Role role) {
    return scenario.tell(new Message.Access.MakeUser(name, role, "root"));
  }

  private Reply makeProject(String name) {
    return scenario.tell(new Message.Access.MakeProject(name, "root"));
  }

  private Reply put(String project, String user, Member.Role role, Member.Role actorRole) {
    return scenario.tell(new Message.Access.PutMember(project, user, role, "root", actorRole));
  }

  private Reply remove(String project, String user, Member.Role actorRole) {
    return scenario.tell(new Message.Access.RemoveMember(project, user, "root", actorRole));
  }

  private Reply issue(String id, String user, Token.Scope scope, @Nullable Instant expires) {
    return scenario.tell(
        new Message.Access.IssueToken(id, user, "laptop", HASH + id, scope, expires, "root"));
  }

  private static void assertRefused(Reply reply, Reply.Code code, String part) {
    assertThat(reply)
        .isInstanceOfSatisfying(
            Reply.Refused.class,
            refused -> {
              assertThat(refused.code()).isEqualTo(code);
              assertThat(refused.message()).contains(part);
            });
  }

  private Event lastEvent() {
    return scenario.events.getLast();
  }

  private List<String> kindsAfter(int number) {
    return scenario.events.subList(number, scenario.events.size()).stream()
        .map(Event::kind)
        .toList();
  }

  @Test
  void whatAServerNeedsIsMadeOnceAndToldOnce() {
    int before = scenario.events.size();
    assertThat(scenario.events).extracting(Event::kind).contains("user.created", "project.created");
    scenario.tell(new Message.Access.Ensure("root", Scenario.PROJECT));
    assertThat(scenario.events).hasSize(before);
    assertThat(scenario.memory.find(User.class, "root").orElseThrow().isAdmin()).isTrue();
    assertThat(scenario.memory.find(Project.class, Scenario.PROJECT).orElseThrow().present())
        .isTrue();
  }

  @Test
  void theOwnUserOfAServerIsAnAdminAgainAtItsNextStart() {
    makeUser("ann", User.Role.ADMIN);
    scenario.tell(new Message.Access.ChangeUser("root", User.Role.USER, "ann"));
    scenario.tell(new Message.Access.Ensure("root", Scenario.PROJECT));
    assertThat(lastEvent().kind()).isEqualTo("user.updated");
    assertThat(lastEvent().actor()).isEqualTo(Event.SERVER);
    assertThat(scenario.memory.find(User.class, "root").orElseThrow().isAdmin()).isTrue();
  }

  @Test
  void aUserIsMadeChangedAndDeletedAndEachIsToldWithBeforeAndAfter() {
    assertThat(makeUser("ann", User.Role.USER)).isEqualTo(new Reply.Accepted("ann", "ann"));
    assertThat(lastEvent())
        .isEqualTo(
            new Event(
                "user.created",
                "user",
                "ann",
                "",
                "root",
                Map.of("after", Map.of("name", "ann", "role", "user"))));
    assertRefused(makeUser("ann", User.Role.USER), Reply.Code.NAME_TAKEN, "already");
    scenario.tell(new Message.Access.ChangeUser("ann", User.Role.ADMIN, "root"));
    assertThat(lastEvent().data())
        .isEqualTo(
            Map.of(
                "before",
                Map.of("name", "ann", "role", "user"),
                "after",
                Map.of("name", "ann", "role", "admin")));
    scenario.tell(new Message.Access.DeleteUser("ann", "root"));
    assertThat(lastEvent().kind()).isEqualTo("user.deleted");
    assertThat(lastEvent().data()).containsOnlyKeys("before");
    assertRefused(
        scenario.tell(new Message.Access.DeleteUser("ann", "root")),
        Reply.Code.NOT_FOUND,
        "no user 'ann'");
    assertThat(makeUser("ann", User.Role.USER)).isInstanceOf(Reply.Accepted.class);
    assertThat(scenario.memory.find(User.class, "ann").orElseThrow().present()).isTrue();
  }

  @Test
  void theRoleThatIsThereAlreadyIsNoChange() {
    int before = scenario.events.size();
    scenario.tell(new Message.Access.ChangeUser("root", User.Role.ADMIN, "root"));
    assertThat(scenario.events).hasSize(before);
  }

  @Test
  void nobodyIsCalledAsTheServerIsInEvents() {
    assertRefused(makeUser(Event.SERVER, User.Role.USER), Reply.Code.NAME_TAKEN, "is reserved for");
  }

  @Test
  void theLastGlobalAdminCannotGo() {
    makeUser("ann", User.Role.USER);
    assertRefused(
        scenario.tell(new Message.Access.DeleteUser("root", "root")),
        Reply.Code.LAST_ONE,
        "last global admin");
    assertRefused(
        scenario.tell(new Message.Access.ChangeUser("root", User.Role.USER, "root")),
        Reply.Code.LAST_ONE,
        "last global admin");
    scenario.tell(new Message.Access.ChangeUser("ann", User.Role.ADMIN, "root"));
    assertThat(scenario.tell(new Message.Access.DeleteUser("root", "ann")))
        .isInstanceOf(Reply.Accepted.class);
    // One who is deleted does not count.
    assertRefused(
        scenario.tell(new Message.Access.DeleteUser("ann", "ann")),
        Reply.Code.LAST_ONE,
        "last global admin");
  }

  @Test
  void aUserGoesWithTokensAndMemberships() {
    makeUser("ann", User.Role.USER);
    makeProject("lab");
    put("lab", "ann", Member.Role.USER, Member.Role.ADMIN);
    issue("t1", "ann", Token.Scope.UNLIMITED, null);
    int before = scenario.events.size();
    scenario.tell(new Message.Access.DeleteUser("ann", "root"));
    assertThat(kindsAfter(before))
        .containsExactly("token.revoked", "member.removed", "user.deleted");
    assertThat(scenario.memory.stored(Token.class, "t1").orElseThrow().active()).isFalse();
    assertThat(scenario.memory.find(Member.class, "lab/ann")).isEmpty();
    assertThat(scenario.memory.find(Member.class, "lab/root")).isPresent();
  }

  @Test
  void whoMakesAProjectIsItsAdminAndTheLastOneCannotGo() {
    makeUser("ann", User.Role.USER);
    makeUser("bob", User.Role.ADMIN);
    makeProject("lab");
    put("lab", "ann", Member.Role.MANAGER, Member.Role.ADMIN);
    assertRefused(
        remove("lab", "root", Member.Role.ADMIN), Reply.Code.LAST_ONE, "last admin of the project");
    assertRefused(
        put("lab", "root", Member.Role.USER, Member.Role.ADMIN),
        Reply.Code.LAST_ONE,
        "last admin of the project");
    assertRefused(
        scenario.tell(new Message.Access.DeleteUser("root", "bob")),
        Reply.Code.LAST_ONE,
        "the project 'lab'");
    put("lab", "ann", Member.Role.ADMIN, Member.Role.ADMIN);
    assertThat(lastEvent().kind()).isEqualTo("member.updated");
    assertThat(lastEvent().project()).isEqualTo("lab");
    assertThat(lastEvent().data()).containsOnlyKeys("before", "after");
    assertThat(remove("lab", "root", Member.Role.ADMIN)).isInstanceOf(Reply.Accepted.class);
    assertRefused(
        remove("lab", "root", Member.Role.ADMIN), Reply.Code.NOT_FOUND, "is not a member");
  }

  @Test
  void onlyAdminsSayWhoIsAnAdmin() {
    makeUser("ann", User.Role.USER);
    makeProject("lab");
    assertRefused(
        put("lab", "ann", Member.Role.ADMIN, Member.Role.MANAGER),
        Reply.Code.NOT_ALLOWED,
        "only project admins");
    put("lab", "ann", Member.Role.ADMIN, Member.Role.ADMIN);
    assertRefused(
        remove("lab", "ann", Member.Role.MANAGER), Reply.Code.NOT_ALLOWED, "only project admins");
    assertRefused(
        put("lab", "ann", Member.Role.VIEWER, Member.Role.MANAGER),
        Reply.Code.NOT_ALLOWED,
        "only project admins");
  }

  @Test
  void membersAreUsersOfProjectsThatAreThere() {
    makeProject("lab");
    assertRefused(
        put("lab", "nobody", Member.Role.USER, Member.Role.ADMIN),
        Reply.Code.NOT_FOUND,
        "no user 'nobody'");
    assertRefused(
        put("none", "root", Member.Role.USER, Member.Role.ADMIN),
        Reply.Code.NOT_FOUND,
        "no project 'none'");
  }

  @Test
  void aProjectWithSomethingInItCannotBeDeleted() {
    String run = scenario.running("hello");
    assertRefused(
        scenario.tell(new Message.Access.DeleteProject(Scenario.PROJECT, "root")),
        Reply.Code.NOT_FINISHED,
        "still has the run 'hello'");
    scenario.observe(run, scenario.exited(0));
    assertThat(scenario.tell(new Message.Access.DeleteProject(Scenario.PROJECT, "root")))
        .isInstanceOf(Reply.Accepted.class);
  }

  @Test
  void aDeletedProjectTakesNothingAndItsNameIsNotGivenAgain() {
    makeUser("ann", User.Role.USER);
    makeProject("lab");
    put("lab", "ann", Member.Role.USER, Member.Role.ADMIN);
    issue("t1", "ann", new Token.Scope("lab", null), null);
    int before = scenario.events.size();
    scenario.tell(new Message.Access.DeleteProject("lab", "root"));
    assertThat(kindsAfter(before))
        .containsExactly("member.removed", "member.removed", "token.revoked", "project.deleted");
    assertRefused(makeProject("lab"), Reply.Code.NAME_TAKEN, "there was a project 'lab'");
    assertRefused(
        put("lab", "ann", Member.Role.USER, Member.Role.ADMIN), Reply.Code.NOT_FOUND, "'lab'");
    assertRefused(
        scenario.tell(
            new Message.Submit("r9", "lab", "ann", "late", Map.of(), TaskBuilder.task().spec())),
        Reply.Code.NOT_FOUND,
        "'lab'");
    assertRefused(
        scenario.tell(new Message.Access.DeleteProject("lab", "root")),
        Reply.Code.NOT_FOUND,
        "'lab'");
  }

  @Test
  void eventsOfTokensTellNeitherSecretNorHash() {
    makeProject("lab");
    Instant expires = Scenario.BEGIN.plus(Duration.ofDays(30));
    issue("t1", "root", new Token.Scope("lab", Member.Role.VIEWER), expires);
    assertThat(lastEvent().data())
        .isEqualTo(
            Map.of(
                "after",
                Map.of(
                    "name",
                    "laptop",
                    "user",
                    "root",
                    "project",
                    "lab",
                    "role",
                    "viewer",
                    "expires_at",
                    expires.toString())));
    scenario.tell(new Message.Access.RevokeToken("t1", "root"));
    assertThat(scenario.events.toString()).doesNotContain(HASH);
    assertRefused(
        scenario.tell(new Message.Access.RevokeToken("t1", "root")), Reply.Code.NOT_FOUND, "t1");
  }

  @Test
  void aTokenIsForAUserAndForAProjectOfTheirs() {
    makeUser("ann", User.Role.USER);
    makeProject("lab");
    assertRefused(
        issue("t1", "nobody", Token.Scope.UNLIMITED, null), Reply.Code.NOT_FOUND, "no user");
    assertRefused(
        issue("t1", "ann", new Token.Scope("lab", null), null), Reply.Code.NOT_FOUND, "'lab'");
    assertRefused(
        issue("t1", "root", new Token.Scope("none", null), null), Reply.Code.NOT_FOUND, "'none'");
    assertThat(issue("t1", "ann", Token.Scope.UNLIMITED, null)).isInstanceOf(Reply.Accepted.class);
    assertRefused(
        issue("t2", "ann", Token.Scope.UNLIMITED, null), Reply.Code.NAME_TAKEN, "already");
    assertThat(issue("t3", "root", Token.Scope.UNLIMITED, null)).isInstanceOf(Reply.Accepted.class);
  }

  @Test
  void aTokenEndsWhenItsTimeIsOver() {
    issue("t1", "root", Token.Scope.UNLIMITED, Scenario.BEGIN.plus(Duration.ofHours(1)));
    scenario.later(Duration.ofMinutes(59));
    scenario.tellWhatIsDue();
    assertThat(scenario.memory.find(Token.class, "t1")).isPresent();
    scenario.later(Duration.ofMinutes(1));
    scenario.tellWhatIsDue();
    assertThat(scenario.memory.find(Token.class, "t1")).isEmpty();
    assertThat(lastEvent().kind()).isEqualTo("token.expired");
  }
}
