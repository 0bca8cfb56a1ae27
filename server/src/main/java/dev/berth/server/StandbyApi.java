package dev.berth.server;

import dev.berth.model.api.HealthView;
import dev.berth.model.api.ProblemView;
import io.javalin.Javalin;
import io.javalin.http.Context;
import java.util.List;

/** What a server answers while another one is active: that it is not the one to ask. */
final class StandbyApi implements AutoCloseable {
  private static final int RETRY_AFTER_SECONDS = 5;

  private final Javalin http;

  private StandbyApi(Javalin http) {
    this.http = http;
  }

  /**
   * Listens.
   *
   * @param active the name of the server that is active
   */
  static StandbyApi start(String host, int port, String active) {
    Javalin http =
        Javalin.create(
            config -> {
              config.startup.showJavalinBanner = false;
              config.startup.showOldJavalinVersionWarning = false;
              config.concurrency.useVirtualThreads = true;
              config.jetty.host = host;
              config.jetty.port = port;
              config.routes.get(
                  Routes.BASE + "/health",
                  context -> {
                    context.contentType("application/json");
                    context.result(ApiJson.MAPPER.writeValueAsBytes(new HealthView("standby")));
                  });
              config.routes.error(404, context -> refuse(context, active));
            });
    http.start();
    return new StandbyApi(http);
  }

  private static void refuse(Context context, String active) {
    context.status(503);
    context.header("Retry-After", Integer.toString(RETRY_AFTER_SECONDS));
    context.result(
        ApiJson.MAPPER.writeValueAsBytes(
            new ProblemView(
                "about:blank",
                "Service Unavailable",
                503,
                "this server stands by; ask the one that is active (" + active + ")",
                List.of())));
    context.contentType("application/problem+json");
  }

  int port() {
    return http.port();
  }

  @Override
  public void close() {
    http.stop();
  }
}
