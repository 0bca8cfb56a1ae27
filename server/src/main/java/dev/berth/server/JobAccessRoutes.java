package dev.berth.server;

import java.util.List;
import java.util.function.Supplier;

/** The operations that become connections with running jobs. */
final class JobAccessRoutes {
  private static final String RUN = "/projects/{project}/runs/{run}";

  private JobAccessRoutes() {}

  static List<Route<?, ?>> of(JobAccess access) {
    return routes(access::exec, access::connect);
  }

  /**
   * Those of a server that stands by: jobs are reached by the active one.
   *
   * @param active its name
   */
  static List<Route<?, ?>> standingBy(Supplier<String> active) {
    Conversing refusal =
        _ -> {
          throw new ApiException(
              503,
              "this server is a standby; jobs can only be reached through the active server, "
                  + active.get());
        };
    return routes(refusal, refusal);
  }

  private interface Conversing {
    void answer(Call call);
  }

  private static List<Route<?, ?>> routes(Conversing exec, Conversing connect) {
    return List.of(
        Route.upgrade(
                Need.USER,
                RUN + "/exec",
                "Runs a command inside a running job; upgrades to a WebSocket that carries its"
                    + " input and output.",
                (call, _) -> {
                  exec.answer(call);
                  return null;
                })
            .taking(Parameter.texts("command"), Routes.NODE, Routes.ATTEMPT),
        Route.upgrade(
                Need.USER,
                RUN + "/connect/{port}",
                "Connects to a port of a running job; upgrades to a WebSocket that carries the"
                    + " bytes.",
                (call, _) -> {
                  connect.answer(call);
                  return null;
                })
            .taking(Routes.NODE, Routes.ATTEMPT));
  }
}
