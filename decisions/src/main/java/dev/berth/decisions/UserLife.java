package dev.berth.decisions;

import dev.berth.model.Member;
import dev.berth.model.Token;
import dev.berth.model.User;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Users come, change and go. */
final class UserLife {
  private UserLife() {}

  static Reply make(Draft draft, Message.Access.MakeUser make, Instant now) {
    if (make.name().equals(Event.SERVER)) {
      return new Reply.Refused(
          Reply.Code.NAME_TAKEN,
          "'" + Event.SERVER + "' is reserved for the server itself; choose another name");
    }
    if (AccessRules.user(draft, make.name()).isPresent()) {
      return new Reply.Refused(
          Reply.Code.NAME_TAKEN, "the user '" + make.name() + "' already exists");
    }
    User user = User.of(make.name(), make.role(), now);
    draft.put(user);
    draft.event("user.created", user, make.actor(), AccessRules.after(facts(user)));
    return new Reply.Accepted(user.id(), user.name());
  }

  /**
   * Makes somebody a user, or an admin where that is wanted; nothing is said of what was there
   * already.
   *
   * @param known the user, where there is one
   * @param why what the event says besides
   */
  static void ensure(
      Draft draft,
      @Nullable User known,
      String name,
      User.Role role,
      Map<String, Object> why,
      Instant now) {
    if (known == null) {
      User user = User.of(name, role, now);
      draft.put(user);
      draft.event("user.created", user, Event.SERVER, with(why, AccessRules.after(facts(user))));
    } else if (role == User.Role.ADMIN && !known.isAdmin()) {
      User admin = known.in(User.Role.ADMIN);
      draft.put(admin);
      draft.event(
          "user.updated",
          admin,
          Event.SERVER,
          with(why, AccessRules.change(facts(known), facts(admin))));
    }
  }

  private static Map<String, Object> with(Map<String, Object> why, Map<String, Object> facts) {
    Map<String, Object> all = new LinkedHashMap<>(facts);
    all.putAll(why);
    return all;
  }

  static Reply change(Draft draft, Message.Access.ChangeUser change) {
    User user = AccessRules.user(draft, change.name()).orElse(null);
    if (user == null) {
      return AccessRules.noUser(change.name());
    }
    if (user.role() != change.role()) {
      if (isLastAdmin(draft, user)) {
        return lastAdmin(user);
      }
      User changed = user.in(change.role());
      draft.put(changed);
      draft.event(
          "user.updated", changed, change.actor(), AccessRules.change(facts(user), facts(changed)));
    }
    return new Reply.Accepted(user.id(), user.name());
  }

  static Reply delete(Draft draft, Message.Access.DeleteUser delete, Instant now) {
    User user = AccessRules.user(draft, delete.name()).orElse(null);
    if (user == null) {
      return AccessRules.noUser(delete.name());
    }
    if (isLastAdmin(draft, user)) {
      return lastAdmin(user);
    }
    List<Member> memberships = draft.children(Member.class, user.id());
    List<String> alone =
        memberships.stream()
            .filter(member -> MemberLife.isLastAdmin(draft, member))
            .map(Member::project)
            .sorted()
            .toList();
    if (!alone.isEmpty()) {
      return new Reply.Refused(
          Reply.Code.LAST_ONE,
          "the user '"
              + user.name()
              + "' is the last admin of "
              + AccessRules.these("the project", alone)
              + "; make someone else an admin there first");
    }
    for (Token token : draft.children(Token.class, user.id())) {
      TokenLife.end(draft, token, "token.revoked", delete.actor(), now);
    }
    memberships.forEach(member -> MemberLife.end(draft, member, delete.actor()));
    User deleted = user.deleted(now);
    draft.put(deleted);
    draft.event("user.deleted", deleted, delete.actor(), AccessRules.before(facts(user)));
    return new Reply.Accepted(user.id(), user.name());
  }

  private static boolean isLastAdmin(Draft draft, User user) {
    return user.isAdmin()
        && draft.active(User.class).stream()
            .noneMatch(other -> other.isAdmin() && !other.id().equals(user.id()));
  }

  private static Reply.Refused lastAdmin(User user) {
    return new Reply.Refused(
        Reply.Code.LAST_ONE,
        "the user '"
            + user.name()
            + "' is the last global admin; make someone else one first, or nobody could");
  }

  static Map<String, Object> facts(User user) {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("name", user.name());
    facts.put("role", user.role().word());
    return facts;
  }
}
