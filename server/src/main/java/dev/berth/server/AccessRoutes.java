package dev.berth.server;

import dev.berth.model.api.InfoView;
import dev.berth.model.api.MemberList;
import dev.berth.model.api.MemberRequest;
import dev.berth.model.api.MemberView;
import dev.berth.model.api.NewTokenView;
import dev.berth.model.api.ProjectList;
import dev.berth.model.api.ProjectRequest;
import dev.berth.model.api.ProjectView;
import dev.berth.model.api.TokenList;
import dev.berth.model.api.TokenRequest;
import dev.berth.model.api.TokenView;
import dev.berth.model.api.UserList;
import dev.berth.model.api.UserRequest;
import dev.berth.model.api.UserRoleRequest;
import dev.berth.model.api.UserView;
import java.util.List;

/** The operations about who may do what. */
final class AccessRoutes {
  private static final String MEMBERS = "/projects/{project}/members";

  private AccessRoutes() {}

  static List<Route<?, ?>> of(
      AccessStore store,
      UserService users,
      ProjectService projects,
      TokenService tokens,
      Need toMakeProjects,
      Route.Handler<Void, InfoView> info) {
    return List.of(
        Route.get(
            Need.TOKEN,
            "/info",
            "Describes the server and the permissions of the caller.",
            InfoView.class,
            info),
        Route.get(
            Need.GLOBAL_ADMIN, "/users", "Lists users.", UserList.class, (_, _) -> store.users()),
        Route.post(
                Need.GLOBAL_ADMIN,
                "/users",
                "Creates a user.",
                UserRequest.class,
                UserView.class,
                201,
                (call, body) -> users.make(call, Routes.required(body)))
            // A repeated request may be about one that was deleted since.
            .refusing(404, 409, 422),
        Route.post(
            Need.GLOBAL_ADMIN,
            "/users/{user}",
            "Changes the global role of a user.",
            UserRoleRequest.class,
            UserView.class,
            200,
            (call, body) -> users.change(call, Routes.required(body))),
        Route.delete(
            Need.GLOBAL_ADMIN,
            "/users/{user}",
            "Deletes a user with their tokens and memberships.",
            UserView.class,
            (call, _) -> users.delete(call)),
        Route.get(
            Need.TOKEN,
            "/projects",
            "Lists the projects that the caller may see.",
            ProjectList.class,
            (call, _) -> projects.list(call)),
        Route.post(
                toMakeProjects,
                "/projects",
                "Creates a project; the caller becomes its first admin.",
                ProjectRequest.class,
                ProjectView.class,
                201,
                (call, body) -> projects.make(call, Routes.required(body)))
            // A repeated request may be about one that was deleted since.
            .refusing(404, 409, 422),
        Route.delete(
            Need.ADMIN,
            "/projects/{project}",
            "Deletes a project that has no active runs, fleets or machines, with its finished"
                + " runs.",
            ProjectView.class,
            (call, _) -> projects.delete(call)),
        Route.get(
            Need.VIEWER,
            MEMBERS,
            "Lists the members of a project.",
            MemberList.class,
            (call, _) -> store.members(call.path("project"))),
        Route.post(
            Need.MANAGER,
            MEMBERS,
            "Adds a user to a project, or changes the role of a member.",
            MemberRequest.class,
            MemberView.class,
            200,
            (call, body) -> projects.put(call, Routes.required(body))),
        Route.delete(
            Need.MANAGER,
            MEMBERS + "/{user}",
            "Removes a member from a project.",
            MemberView.class,
            (call, _) -> projects.remove(call)),
        Route.get(
                Need.TOKEN,
                "/tokens",
                "Lists the caller's tokens; a global admin can list those of any user, or all.",
                TokenList.class,
                (call, _) -> tokens.list(call))
            .taking(Parameter.text("user"), Parameter.flag("all"))
            .refusing(404),
        Route.post(
                Need.UNLIMITED_TOKEN,
                "/tokens",
                "Creates a token, whose secret is shown only once; a global admin can create tokens"
                    + " for other users.",
                TokenRequest.class,
                NewTokenView.class,
                201,
                (call, body) -> tokens.issue(call, Routes.required(body)))
            .refusing(404, 409, 422),
        Route.delete(
            Need.UNLIMITED_TOKEN,
            "/tokens/{token}",
            "Revokes a token of the caller by name or id; a global admin can revoke any by id.",
            TokenView.class,
            (call, _) -> tokens.revoke(call)));
  }
}
