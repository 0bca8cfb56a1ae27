package dev.berth.server;

import dev.berth.model.api.DoctorView;
import dev.berth.model.api.ReadyView;
import dev.berth.server.metrics.ServerMetrics;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The operations for whoever watches the server. */
final class ObservationRoutes {
  /** Found at the root, too. */
  static final String METRICS = "/metrics";

  private ObservationRoutes() {}

  /**
   * Lists them.
   *
   * @param open whether the metrics are for anybody
   */
  static List<Route<?, ?>> of(
      Readiness readiness, ServerMetrics metrics, DoctorService doctor, boolean open) {
    return List.of(
        ready((_, _) -> readiness.check()),
        metrics(metrics, open),
        Route.get(
            Need.GLOBAL_ADMIN,
            "/doctor",
            "Checks the server for problems and suggests fixes.",
            DoctorView.class,
            (_, _) -> doctor.look()));
  }

  /** The one that every server answers by itself. */
  static Route<?, ?> metrics(ServerMetrics metrics, boolean open) {
    return Route.get(
            open ? Need.NOTHING : Need.GLOBAL_ADMIN,
            METRICS,
            "Returns the metrics of the server in the format of Prometheus.",
            Void.class,
            (call, _) -> {
              ServerMetrics.Page page = metrics.page(call.header("Accept"));
              call.bytes(page.contentType(), page.text().getBytes(StandardCharsets.UTF_8));
              return null;
            })
        .giving("text/plain", "application/openmetrics-text");
  }

  /** The one that load balancers ask, of a server in whatever state. */
  static Route<?, ?> ready(Route.Handler<Void, ReadyView> check) {
    return Route.get(
        Need.NOTHING,
        "/ready",
        "Tells whether the server is ready for requests; answers 503 if it is not.",
        ReadyView.class,
        check);
  }
}
