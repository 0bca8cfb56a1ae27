package dev.berth.server;

import dev.berth.ledger.Inbox;
import dev.berth.ledger.Ledger;
import io.javalin.Javalin;
import java.time.InstantSource;

/**
 * What a server answers while another one is active: reads, output and events by itself, and
 * everything else by passing it on.
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
   */
  static StandbyApi start(
      Listening at, Ledger ledger, Inbox inbox, Seal seal, String token, String user) {
    InstantSource clock = InstantSource.system();
    AccessStore access = new AccessStore(ledger);
    PassingOn active = new PassingOn(inbox, seal);
    Store store = new Store(ledger);
    Happenings happenings = Happenings.of(ledger);
    Javalin http =
        new HttpApi(
                Routes.reading(
                    "standby",
                    happenings,
                    store,
                    new LogService(happenings, active, store),
                    new FleetStore(ledger)),
                new Authenticator(access, token, user, clock),
                new Gate(access, clock),
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
