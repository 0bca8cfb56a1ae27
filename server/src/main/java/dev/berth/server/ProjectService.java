package dev.berth.server;

import dev.berth.decisions.Message;
import dev.berth.model.Member;
import dev.berth.model.Project;
import dev.berth.model.api.MemberRequest;
import dev.berth.model.api.MemberView;
import dev.berth.model.api.ProjectList;
import dev.berth.model.api.ProjectRequest;
import dev.berth.model.api.ProjectView;
import java.util.List;
import java.util.function.Function;

/** What the API does with projects and their members. */
final class ProjectService {
  private final AccessStore store;
  private final AccessChanges changes;
  private final Gate gate;
  private final Function<String, List<String>> backendsOf;
  private final LeftRuns leftRuns;
  private final String ownProject;

  /**
   * Makes one for a server.
   *
   * @param ownProject the one that every server begins with
   */
  ProjectService(
      AccessStore store,
      AccessChanges changes,
      Gate gate,
      LeftRuns leftRuns,
      String ownProject,
      Function<String, List<String>> backendsOf) {
    this.backendsOf = backendsOf;
    this.ownProject = ownProject;
    this.store = store;
    this.changes = changes;
    this.gate = gate;
    this.leftRuns = leftRuns;
  }

  /** Those that the caller may see. */
  ProjectList list(Call call) {
    return new ProjectList(
        store.projects().stream()
            .flatMap(
                project ->
                    call.caller().roleIn(project.name()).stream()
                        .map(role -> AccessStore.view(project, role)))
            .toList());
  }

  ProjectView make(Call call, ProjectRequest request) {
    AccessWords.requireName(
        Project.NAME,
        request.name(),
        "letters, digits, _ and -, and must begin with a letter or digit");
    changes.send(call, new Message.Access.MakeProject(request.name(), call.user()), request);
    // Who asked is its admin, though the call began before there was a project.
    return AccessStore.view(
        store.findProject(request.name()).orElseThrow(() -> Gate.noProject(request.name())),
        Member.Role.ADMIN);
  }

  ProjectView delete(Call call) {
    String name = call.path("project");
    ProjectView last = view(call, name);
    if (name.equals(ownProject)) {
      throw new ApiException(
          409, "the project '" + name + "' is the default project and cannot be deleted");
    }
    List<String> owned = backendsOf.apply(name);
    if (!owned.isEmpty()) {
      throw new ApiException(
          409,
          "the project '"
              + name
              + "' still has backends, which may have resources: "
              + String.join(", ", owned)
              + "; remove them first");
    }
    changes.delete(call, new Message.Access.DeleteProject(name, call.user()), last);
    leftRuns.remove(name, call.user());
    return last;
  }

  private ProjectView view(Call call, String name) {
    Project project = store.findProject(name).orElseThrow(() -> Gate.noProject(name));
    return AccessStore.view(
        project, call.caller().roleIn(name).orElseThrow(() -> Gate.noProject(name)));
  }

  MemberView put(Call call, MemberRequest request) {
    String project = call.path("project");
    Member.Role role =
        request.role() == null
            ? Member.Role.USER
            : AccessWords.word(Member.Role.class, "role", request.role());
    changes.send(
        call,
        new Message.Access.PutMember(
            project, request.user(), role, call.user(), actorRole(call, project)),
        request);
    return AccessStore.view(member(project, request.user()));
  }

  MemberView remove(Call call) {
    String project = call.path("project");
    Member member = member(project, call.path("user"));
    return changes.delete(
        call,
        new Message.Access.RemoveMember(
            project, member.user(), call.user(), actorRole(call, project)),
        AccessStore.view(member));
  }

  private Member.Role actorRole(Call call, String project) {
    return gate.roleIn(call.caller(), project).orElseThrow(() -> Gate.noProject(project));
  }

  private Member member(String project, String user) {
    return store.findMember(project, user).orElseThrow(() -> noMember(project, user));
  }

  private static ApiException noMember(String project, String user) {
    return new ApiException(
        404, "the user '" + user + "' is not a member of the project '" + project + "'");
  }
}
