package dev.berth.decisions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.ResourceVector;
import dev.berth.model.Token;
import dev.berth.model.User;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** People who come by their identity provider. */
final class LoginTest {
  private static final Instant LATER = Instant.parse("2100-01-01T00:00:00Z");

  private final Scenario scenario =
      Scenario.with(
          Machines.machine("m1", new ResourceVector(4, 4, 8_192, 20_000, Set.of()), List.of()));

  @BeforeEach
  void aServerStarts() {
    scenario.tell(new Message.Access.Ensure("root", Scenario.PROJECT));
  }

  private Reply logIn(String user, boolean admin, boolean create, String id, String name) {
    return scenario.tell(
        new Message.Access.LogIn(
            user,
            "https://login.example.com",
            "subject-of-" + user,
            admin,
            create,
            id,
            name,
            "5ec4e7" + id,
            LATER));
  }

  private Reply logIn(String user, String issuer, String subject, String id) {
    return scenario.tell(
        new Message.Access.LogIn(user, issuer, subject, false, true, id, id, "5ec4e7" + id, LATER));
  }

  private User user(String name) {
    return scenario.memory.find(User.class, name).orElseThrow();
  }

  private static void assertRefused(Reply reply, Reply.Code code) {
    assertThat(reply)
        .isInstanceOfSatisfying(
            Reply.Refused.class, refused -> assertThat(refused.code()).isEqualTo(code));
  }

  @Test
  void whoIsNewBecomesAUserWithAToken() {
    int before = scenario.events.size();
    assertThat(logIn("ann", false, true, "t1", "laptop"))
        .isEqualTo(new Reply.Accepted("t1", "laptop"));
    assertThat(user("ann").role()).isEqualTo(User.Role.USER);
    Token token = scenario.memory.find(Token.class, "t1").orElseThrow();
    assertThat(token.scope().unlimited()).isTrue();
    assertThat(token.expiresAt()).isEqualTo(LATER);
    assertThat(scenario.events.subList(before, scenario.events.size()))
        .extracting(Event::kind)
        .containsExactly("user.created", "token.issued");
  }

  @Test
  void anAccountIsNotInheritedWithItsName() {
    String issuer = "https://login.example.com";
    scenario.tell(new Message.Access.MakeUser("ann", User.Role.USER, "root"));
    assertThat(logIn("ann", issuer, "s1", "t1")).isInstanceOf(Reply.Accepted.class);
    assertThat(user("ann").identity()).isEqualTo(new User.Identity(issuer, "s1"));
    int before = scenario.events.size();
    Reply other = logIn("ann", issuer, "s2", "t2");
    assertRefused(other, Reply.Code.NOT_ALLOWED);
    assertThat(((Reply.Refused) other).message())
        .contains("not the person", "berth user delete ann", "berth user create ann");
    assertThat(scenario.events).hasSize(before);
    assertThat(logIn("ann", issuer, "s1", "t3")).isInstanceOf(Reply.Accepted.class);
    // What the sentence says works.
    scenario.tell(new Message.Access.DeleteUser("ann", "root"));
    scenario.tell(new Message.Access.MakeUser("ann", User.Role.USER, "root"));
    assertThat(logIn("ann", issuer, "s2", "t4")).isInstanceOf(Reply.Accepted.class);
    assertRefused(logIn("ann", issuer, "s1", "t5"), Reply.Code.NOT_ALLOWED);
    // The server's file names another provider now, whose people are told apart by it.
    assertThat(logIn("ann", "https://new.example.com", "n1", "t6"))
        .isInstanceOf(Reply.Accepted.class);
    assertRefused(logIn("ann", "https://new.example.com", "n2", "t7"), Reply.Code.NOT_ALLOWED);
  }

  @Test
  void whoMayNotLeavesNoTrace() {
    int before = scenario.events.size();
    assertRefused(logIn("ann", false, false, "t1", "a"), Reply.Code.NOT_ALLOWED);
    assertRefused(logIn(Event.SERVER, true, true, "t1", "a"), Reply.Code.NOT_ALLOWED);
    assertThat(scenario.memory.find(User.class, "ann")).isEmpty();
    assertThat(scenario.events).hasSize(before);
  }

  @Test
  void whoWasDeletedIsNotMadeAgain() {
    logIn("ann", false, true, "t1", "a");
    scenario.tell(new Message.Access.DeleteUser("ann", "root"));
    assertRefused(logIn("ann", true, true, "t2", "a"), Reply.Code.NOT_ALLOWED);
    assertThat(user("ann").present()).isFalse();
  }

  @Test
  void anAdminOfTheFileIsMadeOneAndStaysOne() {
    logIn("ann", false, true, "t1", "a");
    logIn("ann", true, true, "t2", "b");
    assertThat(user("ann").isAdmin()).isTrue();
    int before = scenario.events.size();
    // Not to be listed takes nothing away: the role may have been given by an admin.
    logIn("ann", false, true, "t3", "c");
    assertThat(user("ann").isAdmin()).isTrue();
    assertThat(scenario.events).hasSize(before + 1);
  }

  @Test
  void aNameThatIsTakenChangesNothing() {
    logIn("ann", false, true, "t1", "a");
    assertRefused(logIn("ann", true, true, "t2", "a"), Reply.Code.NAME_TAKEN);
    assertThat(user("ann").isAdmin()).isFalse();
  }
}
