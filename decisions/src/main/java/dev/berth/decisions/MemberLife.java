package dev.berth.decisions;

import dev.berth.model.Member;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Members of projects come, change and go. */
final class MemberLife {
  private MemberLife() {}

  static Reply put(Draft draft, Message.Access.PutMember put, Instant now) {
    if (AccessRules.project(draft, put.project()).isEmpty()) {
      return AccessRules.noProject(put.project());
    }
    if (AccessRules.user(draft, put.user()).isEmpty()) {
      return AccessRules.noUser(put.user());
    }
    Member known = draft.find(Member.class, Member.id(put.project(), put.user())).orElse(null);
    if (known != null && known.role() == put.role()) {
      return accepted(known);
    }
    Reply.Refused refused = refusal(draft, known, put.role(), put.actorRole());
    if (refused != null) {
      return refused;
    }
    Member member =
        known == null
            ? new Member(put.project(), put.user(), put.role(), now)
            : known.in(put.role());
    draft.put(member);
    draft.event(
        known == null ? "member.added" : "member.updated",
        member,
        put.actor(),
        known == null
            ? AccessRules.after(facts(member))
            : AccessRules.change(facts(known), facts(member)));
    return accepted(member);
  }

  static Reply remove(Draft draft, Message.Access.RemoveMember remove) {
    Member member =
        draft.find(Member.class, Member.id(remove.project(), remove.user())).orElse(null);
    if (member == null) {
      return new Reply.Refused(
          Reply.Code.NOT_FOUND,
          "the user '"
              + remove.user()
              + "' is not a member of the project '"
              + remove.project()
              + "'");
    }
    Reply.Refused refused = refusal(draft, member, null, remove.actorRole());
    if (refused != null) {
      return refused;
    }
    end(draft, member, remove.actor());
    return accepted(member);
  }

  /**
   * Why a member cannot get a role, or lose the one that is there; null where nothing is against.
   */
  private static Reply.@Nullable Refused refusal(
      Draft draft, @Nullable Member known, Member.@Nullable Role next, Member.Role actorRole) {
    boolean aboutAdmins =
        next == Member.Role.ADMIN || (known != null && known.role() == Member.Role.ADMIN);
    if (aboutAdmins && !actorRole.covers(Member.Role.ADMIN)) {
      return new Reply.Refused(
          Reply.Code.NOT_ALLOWED,
          "only project admins and global admins can change who is an admin of the project; you are"
              + " a "
              + actorRole.word());
    }
    if (known != null && next != Member.Role.ADMIN && isLastAdmin(draft, known)) {
      return new Reply.Refused(
          Reply.Code.LAST_ONE,
          "the user '"
              + known.user()
              + "' is the last admin of the project '"
              + known.project()
              + "'; make someone else an admin first");
    }
    return null;
  }

  static boolean isLastAdmin(Draft draft, Member member) {
    return member.role() == Member.Role.ADMIN
        && draft.active(Member.class).stream()
            .noneMatch(
                other ->
                    other.project().equals(member.project())
                        && other.role() == Member.Role.ADMIN
                        && !other.id().equals(member.id()));
  }

  static void end(Draft draft, Member member, String actor) {
    draft.delete(member);
    draft.event("member.removed", member, actor, AccessRules.before(facts(member)));
  }

  private static Reply.Accepted accepted(Member member) {
    return new Reply.Accepted(member.id(), member.user());
  }

  static Map<String, Object> facts(Member member) {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("project", member.project());
    facts.put("user", member.user());
    facts.put("role", member.role().word());
    return facts;
  }
}
