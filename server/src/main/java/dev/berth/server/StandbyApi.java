package dev.berth.server;

import dev.berth.ledger.Inbox;
import dev.berth.ledger.Ledger;
import dev.berth.ledger.RealmStatus;
import dev.berth.server.metrics.ServerMetrics;
import dev.berth.server.traces.Traces;
import io.javalin.Javalin;
import java.io.IOException;
import java.nio.channels.Channel;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.eclipse.jetty.server.Connector;

/**
 * What a server answers while another one is active: reads, output, events and uploads by itself,
 * and everything else by passing it on.
 */
final class StandbyApi implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(StandbyApi.class.getName());
  private static final Duration LAST_GUESTS = Duration.ofMillis(300);

  /** Whoever does not read an answer must not keep a take-over from being done within 15 s. */
  private static final Duration LAST_ANSWERS = Duration.ofSeconds(5);

  private final Javalin http;
  private final PassingOn active;
  private final Guests guests;

  private StandbyApi(Javalin http, PassingOn active, Guests guests) {
    this.http = http;
    this.active = active;
    this.guests = guests;
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
            at.proxies(),
            active);
    Javalin http = api.create(at.host(), at.port());
    http.start();
    return new StandbyApi(http, active, api.guests());
  }

  private static String activeServer(Ledger ledger) {
    return ledger.findRealm(Ledger.MAIN_REALM).map(RealmStatus::owner).orElse("which is not known");
  }

  int port() {
    return http.port();
  }

  /**
   * Ends listening, so that the active server can listen there. Connections that Jetty has accepted
   * and not yet looked at when it stops are left open for ever, and whoever is at their other end
   * waits in vain; so the door is closed first, and who is inside is served. Nothing tells when all
   * have been looked at. Who waits for the active server, which is gone, is told to ask again, and
   * has that answer before the connection ends.
   */
  @Override
  public void close() {
    for (Connector connector : http.jettyServer().server().getConnectors()) {
      if (connector.getTransport() instanceof Channel door) {
        try {
          door.close();
        } catch (IOException e) {
          LOG.log(System.Logger.Level.WARNING, "A port is not let go of", e);
        }
      }
    }
    active.close();
    LockSupport.parkNanos(LAST_GUESTS.toNanos());
    if (!guests.awaitAllLeft(LAST_ANSWERS)) {
      LOG.log(System.Logger.Level.WARNING, "Some who asked get no answer");
    }
    http.stop();
  }
}
