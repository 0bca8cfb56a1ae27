package dev.berth.ledger;

import dev.berth.model.testing.FreePort;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Assumptions;

/** The PostgreSQL of this JVM's tests: started when first needed, stopped when the JVM ends. */
final class PostgresServer {
  private static final AtomicInteger DATABASES = new AtomicInteger();
  private static final Duration STARTS_WITHIN = Duration.ofMinutes(2);
  // Held here because the logging system forgets a logger, and its level, that nobody refers to.
  private static final Logger LOG = Logger.getLogger("io.zonky");

  private PostgresServer() {}

  private static final class Shared {
    private static final EmbeddedPostgres SERVER = start();

    private static EmbeddedPostgres start() {
      try {
        return quietly().start();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Skips the test where there is no PostgreSQL for this machine. */
  static void require() {
    String system = System.getProperty("os.name") + " " + System.getProperty("os.arch");
    Assumptions.assumeTrue(
        system.equals("Linux amd64"), "the postgres of the tests does not run on " + system);
  }

  /**
   * An empty database, which sorts as people of a language do, so that nothing may rely on bytes.
   */
  static PostgresAddress newDatabase() {
    require();
    String name = "test" + DATABASES.incrementAndGet();
    run(
        address("postgres"),
        "CREATE DATABASE "
            + name
            + " TEMPLATE template0 ENCODING 'UTF8' LOCALE_PROVIDER icu ICU_LOCALE 'en-US'");
    return address(name);
  }

  static PostgresAddress address(String database) {
    return address(Shared.SERVER.getPort(), database);
  }

  static PostgresAddress address(int port, String database) {
    return PostgresAddress.of("postgresql://postgres@localhost:" + port + "/" + database);
  }

  /** As a person with a terminal would. */
  static void run(PostgresAddress address, String... statements) {
    try (Connection connection = address.dataSource(Map.of()).getConnection();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Empties the tables, which is quicker than another database. */
  static void empty(PostgresAddress address) {
    run(address, "TRUNCATE realm, entity, event, action, reply");
  }

  /** A server of its own, for tests that stop it. Starting in the same folder is a restart. */
  static EmbeddedPostgres start(Path folder, int port) throws IOException {
    EmbeddedPostgres.Builder builder =
        quietly().setDataDirectory(folder).setCleanDataDirectory(false);
    return (port == 0 ? builder : builder.setPort(port)).start();
  }

  /** What the server says about statements that a test makes fail is of no use to anyone. */
  private static EmbeddedPostgres.Builder quietly() throws IOException {
    LOG.setLevel(Level.WARNING);
    return EmbeddedPostgres.builder()
        // It asks for its port long after it was chosen, and again after a restart.
        .setPort(FreePort.find())
        .setPGStartupWait(STARTS_WITHIN)
        .setErrorRedirector(ProcessBuilder.Redirect.DISCARD)
        .setOutputRedirector(ProcessBuilder.Redirect.DISCARD);
  }
}
