package dev.berth.server;

import dev.berth.control.ControlPlane;
import dev.berth.ledger.Ledger;
import dev.berth.model.BackendKey;
import dev.berth.model.Member;
import dev.berth.model.api.InfoView;
import dev.berth.model.config.ServerConfiguration.Oidc;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** All that a server has for telling who may do what, put together. */
record Access(Authenticator authenticator, Gate gate, LeftRuns leftRuns, List<Route<?, ?>> routes) {
  static Access of(
      BerthServer.Settings settings,
      String token,
      ControlPlane control,
      Ledger ledger,
      Store store,
      MessageSender sender,
      RunNames names,
      InstantSource clock,
      @Nullable Oidc oidc,
      Function<String, List<String>> backendsOf,
      boolean usersMayMakeProjects) {
    AccessStore access = new AccessStore(ledger);
    Authenticator authenticator = new Authenticator(access, token, settings.user(), clock);
    Gate gate = new Gate(access, clock);
    AccessChanges changes = new AccessChanges(sender, authenticator, gate);
    LeftRuns leftRuns = new LeftRuns(control, store, access);
    TokenService tokens = new TokenService(access, changes, names, clock);
    LoginService logins =
        new LoginService(access, changes, authenticator, names, clock, settings.user(), oidc);
    List<Route<?, ?>> routes = new ArrayList<>(LoginRoutes.of(logins, tokens));
    routes.addAll(
        AccessRoutes.of(
            access,
            new UserService(access, changes, settings.user()),
            new ProjectService(access, changes, gate, leftRuns, settings.project(), backendsOf),
            tokens,
            usersMayMakeProjects ? Need.UNLIMITED_TOKEN : Need.GLOBAL_ADMIN,
            (call, _) -> info(call.caller(), settings.project(), control, access)));
    return new Access(authenticator, gate, leftRuns, routes);
  }

  private static List<String> backends(ControlPlane control, String project) {
    return control.backends().keySet().stream()
        .filter(key -> BackendKey.isFor(project, key))
        .map(BackendKey::name)
        .sorted()
        .toList();
  }

  private static InfoView info(
      Caller caller, String project, ControlPlane control, AccessStore access) {
    Map<String, String> roles = new TreeMap<>();
    access
        .projects()
        .forEach(
            one ->
                caller
                    .roleIn(one.name())
                    .map(Member.Role::word)
                    .ifPresent(role -> roles.put(one.name(), role)));
    return new InfoView(
        BerthServer.version(),
        ProcessHandle.current().pid(),
        caller.user(),
        project,
        // To who is not a member, a project is not there, and so neither are its backends.
        roles.containsKey(project) ? backends(control, project) : List.of(),
        caller.isGlobalAdmin() ? "admin" : "user",
        roles);
  }
}
