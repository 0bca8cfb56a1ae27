package dev.berth.server;

import dev.berth.model.testing.FreePort;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;

/** A real PostgreSQL for tests of servers. */
final class TestPostgres {
  private static final Duration STARTS_WITHIN = Duration.ofMinutes(2);

  private TestPostgres() {}

  /** Starts one; skips the test where there is none for the machine. */
  static EmbeddedPostgres start() throws IOException {
    String system = System.getProperty("os.name") + " " + System.getProperty("os.arch");
    Assumptions.assumeTrue(
        system.equals("Linux amd64"), "the postgres of the tests does not run on " + system);
    return EmbeddedPostgres.builder()
        .setPort(FreePort.find())
        .setPGStartupWait(STARTS_WITHIN)
        .setErrorRedirector(ProcessBuilder.Redirect.DISCARD)
        .setOutputRedirector(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  static String address(EmbeddedPostgres postgres) {
    return "postgresql://postgres@localhost:" + postgres.getPort() + "/postgres";
  }

  /** What tells a server to keep its state there. */
  static Map<String, String> environment(EmbeddedPostgres postgres) {
    return Map.of(Storage.ADDRESS, address(postgres));
  }
}
