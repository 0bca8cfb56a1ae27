package dev.berth.server;

import dev.berth.ledger.Inbox;
import dev.berth.ledger.Ledger;
import dev.berth.model.api.ReadyView;
import dev.berth.server.metrics.ServerMetrics;
import dev.berth.server.traces.Traces;
import io.javalin.Javalin;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/**
 * What a server answers while another one is active: reads, output, events and uploads by itself,
 * and everything else by passing it on.
 */
final class StandbyApi implements AutoCloseable {
  private final Javalin http;

  private StandbyApi(Javalin http) {
    this.http = http;
  }

  /**
   * Listens.
   *
   * @param token the one of this server's home
   * @param user whose it is
   * @param openMetrics whether its metrics are for anybody
   */
  static StandbyApi start(
      Listening at,
      Ledger ledger,
      Inbox inbox,
      Keyring keys,
      Uploads uploads,
      String token,
      String user,
      boolean openMetrics,
      Traces traces) {
    InstantSource clock = InstantSource.system();
    AccessStore access = new AccessStore(ledger);
    PassingOn active = new PassingOn(inbox, keys);
    Store store = new Store(ledger);
    Happenings happenings = Happenings.of(ledger);
    ServerMetrics metrics = new ServerMetrics(BerthServer.version(), traces::dropped);
    List<Route<?, ?>> routes =
        new ArrayList<>(
            Routes.reading(
                "standby",
                happenings,
                store,
                new LogService(
                    happenings,
                    new KeptOutputs(active, ledger, uploads.store()),
                    store,
                    metrics::servedLogs),
                new FleetStore(ledger)));
    routes.addAll(UploadRoutes.of(uploads));
    routes.add(ObservationRoutes.metrics(metrics, openMetrics));
    routes.add(
        ObservationRoutes.ready(
            (_, _) -> {
              // Fails where the database does not answer.
              ledger.findRealm(Ledger.MAIN_REALM);
              return new ReadyView("standby");
            }));
    Javalin http =
        new HttpApi(
                routes,
                new Admission(
                    new Authenticator(access, token, user, clock),
                    new Gate(access, clock),
                    metrics,
                    null),
                metrics,
                traces,
                () -> {},
                active)
            .create(at.host(), at.port());
    http.start();
    return new StandbyApi(http);
  }

  int port() {
    return http.port();
  }

  @Override
  public void close() {
    http.stop();
  }
}
