package dev.berth.server;

import dev.berth.ledger.Inbox;
import dev.berth.ledger.Ledger;
import dev.berth.ledger.RealmStatus;
import dev.berth.server.metrics.ServerMetrics;
import dev.berth.server.traces.Traces;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/**
 * What a server answers while another one is active: reads, output, events and uploads by itself,
 * and everything else by passing it on.
 */
final class StandbyApi {
  private final PassingOn active;

  private StandbyApi(PassingOn active) {
    this.active = active;
  }

  /**
   * Answers at a port, until another API does.
   *
   * @param token the one of this server's home
   * @param user whose it is
   * @param openMetrics whether its metrics are for anybody
   */
  static StandbyApi start(
      HttpListener http,
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
    // What it hides was hidden by the active server, which has the backends and their credentials.
    LogMasks masks = new LogMasks(store, new SecretStore(ledger, keys), List::of, clock);
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
                    new KeptOutputs(active, masks, ledger, uploads.store()),
                    store,
                    metrics::servedLogs),
                new FleetStore(ledger)));
    routes.addAll(JobAccessRoutes.standingBy(() -> activeServer(ledger)));
    routes.addAll(UploadRoutes.of(uploads));
    routes.add(ObservationRoutes.metrics(metrics, openMetrics));
    Readiness readiness = Readiness.standingBy(() -> ledger.findRealm(Ledger.MAIN_REALM), clock);
    routes.add(ObservationRoutes.ready((_, _) -> readiness.check()));
    HttpApi api =
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
            http.at().proxies(),
            active);
    http.serve(api);
    return new StandbyApi(active);
  }

  private static String activeServer(Ledger ledger) {
    return ledger.findRealm(Ledger.MAIN_REALM).map(RealmStatus::owner).orElse("which is not known");
  }

  /**
   * The active server is gone. Whoever waits for it is told to ask again. What is asked for from
   * now on waits for whoever is active next, which is this server as a rule.
   */
  void endWaiting() {
    active.sendAway();
  }
}
