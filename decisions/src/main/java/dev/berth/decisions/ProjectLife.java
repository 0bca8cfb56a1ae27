package dev.berth.decisions;

import dev.berth.model.Entity;
import dev.berth.model.Fleet;
import dev.berth.model.Instance;
import dev.berth.model.Member;
import dev.berth.model.Project;
import dev.berth.model.Run;
import dev.berth.model.StoredSecret;
import dev.berth.model.Token;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Projects come and go. */
final class ProjectLife {
  private ProjectLife() {}

  static Reply make(Draft draft, Message.Access.MakeProject make, Instant now) {
    Project known = draft.find(Project.class, make.name()).orElse(null);
    if (known != null) {
      return known.present()
          ? new Reply.Refused(
              Reply.Code.NAME_TAKEN, "the project '" + make.name() + "' already exists")
          : wasDeleted(make.name());
    }
    Project project = new Project(make.name(), now, null);
    draft.put(project);
    draft.event("project.created", project, make.actor(), AccessRules.after(facts(project)));
    Member first = new Member(project.name(), make.actor(), Member.Role.ADMIN, now);
    draft.put(first);
    draft.event("member.added", first, make.actor(), AccessRules.after(MemberLife.facts(first)));
    return new Reply.Accepted(project.id(), project.name());
  }

  private static Reply.Refused wasDeleted(String name) {
    return new Reply.Refused(
        Reply.Code.NAME_TAKEN,
        "there was a project '"
            + name
            + "', and its events are still stored under that name; choose another name");
  }

  /** One is there that needs no member: admins may do everything in it, and add others. */
  static Reply declare(Draft draft, String name, Instant now) {
    Project known = draft.find(Project.class, name).orElse(null);
    if (known != null && !known.present()) {
      return wasDeleted(name);
    }
    if (known == null) {
      Project project = new Project(name, now, null);
      draft.put(project);
      draft.event("project.created", project, Event.SERVER, AccessRules.after(facts(project)));
    }
    return new Reply.Accepted(name, name);
  }

  static Reply delete(Draft draft, Message.Access.DeleteProject delete, Instant now) {
    Project project = AccessRules.project(draft, delete.name()).orElse(null);
    if (project == null) {
      return AccessRules.noProject(delete.name());
    }
    List<String> there = new ArrayList<>();
    tell(draft, Run.class, project, Run::name, "run", there);
    tell(draft, Fleet.class, project, Fleet::name, "fleet", there);
    tell(draft, Instance.class, project, Instance::name, "machine", there);
    if (!there.isEmpty()) {
      return new Reply.Refused(
          Reply.Code.NOT_FINISHED,
          "the project '"
              + project.name()
              + "' still has "
              + String.join(" and ", there)
              + "; stop the runs and delete the fleets first");
    }
    for (Member member : List.copyOf(draft.active(Member.class))) {
      if (member.project().equals(project.name())) {
        MemberLife.end(draft, member, delete.actor());
      }
    }
    for (Token token : List.copyOf(draft.active(Token.class))) {
      if (project.name().equals(token.scope().project())) {
        TokenLife.end(draft, token, "token.revoked", delete.actor(), now);
      }
    }
    for (StoredSecret secret : List.copyOf(draft.active(StoredSecret.class))) {
      if (secret.project().equals(project.name())) {
        SecretLife.end(draft, secret, delete.actor(), now);
      }
    }
    Project deleted = project.deleted(now);
    draft.put(deleted);
    draft.event("project.deleted", deleted, delete.actor(), AccessRules.before(facts(project)));
    return new Reply.Accepted(project.id(), project.name());
  }

  private static <E extends Entity> void tell(
      Draft draft,
      Class<E> type,
      Project project,
      Function<E, String> name,
      String noun,
      List<String> there) {
    List<String> names =
        draft.active(type).stream()
            .filter(entity -> entity.project().equals(project.name()))
            .map(name)
            .sorted()
            .toList();
    if (!names.isEmpty()) {
      there.add(AccessRules.these("the " + noun, names));
    }
  }

  static Map<String, Object> facts(Project project) {
    return Map.of("name", project.name());
  }
}
