package dev.berth.bench;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;

/** A PostgreSQL server of our own, which syncs to the disk as one that is relied on does. */
final class TemporaryPostgres implements AutoCloseable {
  private final EmbeddedPostgres server;

  private TemporaryPostgres(EmbeddedPostgres server) {
    this.server = server;
  }

  static TemporaryPostgres start(Workplace place) throws IOException {
    return new TemporaryPostgres(
        EmbeddedPostgres.builder()
            .setDataDirectory(place.newHome().resolve("postgres"))
            .setServerConfig("fsync", "on")
            .setServerConfig("full_page_writes", "on")
            .setServerConfig("synchronous_commit", "on")
            .setErrorRedirector(ProcessBuilder.Redirect.DISCARD)
            .setOutputRedirector(ProcessBuilder.Redirect.DISCARD)
            .start());
  }

  String url() {
    return "postgresql://postgres@localhost:" + server.getPort() + "/postgres";
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
