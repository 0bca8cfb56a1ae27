package dev.berth.decisions;

import dev.berth.model.Project;
import dev.berth.model.User;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Who may do what, and how that changes. */
final class AccessRules {
  private static final int MOST_NAMES = 5;

  private AccessRules() {}

  static Reply decide(Draft draft, Message.Access message, Instant now) {
    return switch (message) {
      case Message.Access.Ensure ensure -> ensure(draft, ensure, now);
      case Message.Access.DeclareProject declared ->
          ProjectLife.declare(draft, declared.name(), now);
      case Message.Access.MakeUser make -> UserLife.make(draft, make, now);
      case Message.Access.ChangeUser change -> UserLife.change(draft, change);
      case Message.Access.DeleteUser delete -> UserLife.delete(draft, delete, now);
      case Message.Access.MakeProject make -> ProjectLife.make(draft, make, now);
      case Message.Access.DeleteProject delete -> ProjectLife.delete(draft, delete, now);
      case Message.Access.PutMember put -> MemberLife.put(draft, put, now);
      case Message.Access.RemoveMember remove -> MemberLife.remove(draft, remove);
      case Message.Access.IssueToken issue -> TokenLife.issue(draft, issue, now);
      case Message.Access.RevokeToken revoke -> TokenLife.revoke(draft, revoke, now);
      case Message.Access.PutSecret put -> SecretLife.put(draft, put, now);
      case Message.Access.DeleteSecret delete -> SecretLife.delete(draft, delete, now);
      case Message.Access.RevealSecret reveal -> SecretLife.reveal(draft, reveal);
      case Message.Access.LogIn login -> Login.decide(draft, login, now);
    };
  }

  /** What a server cannot do without is there; nothing is said of what was there already. */
  private static Reply ensure(Draft draft, Message.Access.Ensure ensure, Instant now) {
    User known = user(draft, ensure.user()).orElse(null);
    UserLife.ensure(draft, known, ensure.user(), User.Role.ADMIN, Map.of(), now);
    // One that was deleted stays so: its name is not given twice.
    var _ = ProjectLife.declare(draft, ensure.project(), now);
    return new Reply.Accepted(ensure.project(), ensure.project());
  }

  /** A user who is not deleted. */
  static Optional<User> user(Draft draft, String name) {
    return draft.find(User.class, name).filter(User::present);
  }

  /** A project that is not deleted. */
  static Optional<Project> project(Draft draft, String name) {
    return draft.find(Project.class, name).filter(Project::present);
  }

  static Reply.Refused noUser(String name) {
    return new Reply.Refused(Reply.Code.NOT_FOUND, "there is no user '" + name + "'");
  }

  static Reply.Refused noProject(String name) {
    return new Reply.Refused(
        Reply.Code.NOT_FOUND, "there is no project '" + name + "', or you are not a member of it");
  }

  /** Whether a project was deleted, so that nothing new may come into it. */
  static boolean isDeleted(Draft draft, String project) {
    return draft.find(Project.class, project).filter(one -> !one.present()).isPresent();
  }

  /** What an event tells of something that was not there before. */
  static Map<String, Object> after(Map<String, Object> facts) {
    return Map.of("after", facts);
  }

  /** What an event tells of something that is not there any more. */
  static Map<String, Object> before(Map<String, Object> facts) {
    return Map.of("before", facts);
  }

  /** What an event tells of something that is otherwise than before. */
  static Map<String, Object> change(Map<String, Object> before, Map<String, Object> after) {
    Map<String, Object> both = new LinkedHashMap<>();
    both.put("before", before);
    both.put("after", after);
    return Collections.unmodifiableMap(both);
  }

  /** Some names for a sentence, not all of very many. */
  static String these(String noun, List<String> names) {
    List<String> shown = names.stream().limit(MOST_NAMES).map(name -> "'" + name + "'").toList();
    return noun
        + (names.size() == 1 ? " " : "s ")
        + String.join(", ", shown)
        + (names.size() > MOST_NAMES ? " and " + (names.size() - MOST_NAMES) + " more" : "");
  }
}
