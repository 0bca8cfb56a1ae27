package dev.berth.cli;

import dev.berth.client.BerthClient;
import java.io.PrintWriter;
import java.net.URI;
import java.util.Optional;

/**
 * A client of the right server: the configured one, or the embedded one, which is started where
 * needed.
 */
final class Connection implements AutoCloseable {
  private final BerthClient client;
  private final String project;
  private final String url;

  private Connection(BerthClient client, String project, String url) {
    this.client = client;
    this.project = project;
    this.url = url;
  }

  static Connection open(PrintWriter err) {
    Home home = Home.find();
    ClientSettings settings = ClientSettings.load(home);
    if (settings.url() != null) {
      return configured(settings.url(), settings);
    }
    EmbeddedServer.Address address = new EmbeddedServer(home, err).ensureRunning();
    return new Connection(address.client(), settings.project(), address.url());
  }

  /** The same without starting a server: empty where none is configured and none runs. */
  static Optional<Connection> find(PrintWriter err) {
    Home home = Home.find();
    ClientSettings settings = ClientSettings.load(home);
    if (settings.url() != null) {
      return Optional.of(configured(settings.url(), settings));
    }
    return new EmbeddedServer(home, err)
        .find()
        .map(address -> new Connection(address.client(), settings.project(), address.url()));
  }

  private static Connection configured(String url, ClientSettings settings) {
    String token = settings.token();
    if (token == null) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "no token is configured for the server; log in with: berth login --server "
              + url
              + ", or set one with: berth config --url "
              + url
              + " --token TOKEN, or BERTH_TOKEN");
    }
    return new Connection(new BerthClient(url, token), settings.project(), url);
  }

  BerthClient client() {
    return client;
  }

  String project() {
    return project;
  }

  String url() {
    return url;
  }

  /** Whether the server is on this machine, so that jobs on its own machine are, too. */
  boolean isToThisMachine() {
    String host = String.valueOf(URI.create(url).getHost());
    return host.equals("localhost") || host.equals("[::1]") || host.matches("127(\\.[0-9]+){3}");
  }

  @Override
  public void close() {
    client.close();
  }
}
