package dev.berth.ledger;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.sql.DataSource;

/**
 * The connections to a PostgreSQL database: one that writes, a few that read.
 *
 * <p>The pools make new connections where old ones broke, so the ledger goes on by itself when
 * PostgreSQL is back.
 */
final class PostgresConnections implements AutoCloseable {
  // Held here because the logging system forgets a logger, and its level, that nobody refers to.
  private static final Logger POOL_LOG = Logger.getLogger("com.zaxxer.hikari");

  private final PostgresErrors errors;
  private final HikariDataSource writers;
  private final HikariDataSource readers;

  PostgresConnections(PostgresDatabase database, PostgresLimits limits) {
    this.errors = database.errors();
    // Every failure reaches a caller; the pool would report each a second time.
    POOL_LOG.setLevel(Level.SEVERE);
    DataSource source =
        database
            .address()
            .dataSource(
                Map.of(
                    "ApplicationName", "berth",
                    "connectTimeout", Long.toString(limits.connect().toSeconds()),
                    "socketTimeout", Long.toString(limits.answer().toSeconds()),
                    "tcpKeepAlive", "true",
                    // One statement for many rows.
                    "reWriteBatchedInserts", "true",
                    // Otherwise messages quote the contents of rows.
                    "logServerErrorDetail", "false",
                    // Of a long result, not everything at once; only inside of transactions.
                    "defaultRowFetchSize", "2000"));
    HikariConfig writing = pool("berth-writer", 1, source, limits);
    writing.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
    writing.setConnectionInitSql(writer(limits));
    this.writers = new HikariDataSource(writing);
    HikariConfig reading = pool("berth-readers", limits.readers(), source, limits);
    reading.setTransactionIsolation("TRANSACTION_REPEATABLE_READ");
    reading.setConnectionInitSql(reader(limits));
    this.readers = new HikariDataSource(reading);
  }

  private static String writer(PostgresLimits limits) {
    // Acknowledged is stored, whatever somebody set for the database; stricter is left as it is.
    // A Berth that is stopped in the middle of sending counts as busy, not as idle: only the limit
    // of the whole transaction, which PostgreSQL has since 17, ends that one. A machine that is
    // gone
    // is noticed by the network.
    return """
    SET statement_timeout = %1$d; SET idle_in_transaction_session_timeout = %2$d;
    SELECT set_config('transaction_timeout', '%3$d', false)
      WHERE current_setting('server_version_num')::int >= 170000;
    SET tcp_user_timeout = %2$d; SET tcp_keepalives_idle = 2;
    SET tcp_keepalives_interval = 1; SET tcp_keepalives_count = 3;
    SELECT set_config('synchronous_commit', 'on', false)
      WHERE current_setting('synchronous_commit') = 'off'
    """
        .formatted(
            limits.statement().toMillis(),
            limits.idleInTransaction().toMillis(),
            limits.answer().toMillis());
  }

  private static String reader(PostgresLimits limits) {
    // A reader holds no lock that anyone waits for, and what it reads to may take its time.
    return """
    SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY;
    SET statement_timeout = %d; SET idle_in_transaction_session_timeout = '5min'
    """
        .formatted(limits.statement().toMillis());
  }

  /**
   * The isolation is set by the pool rather than by a statement of ours: a pool without one asks
   * its first connection, and if that breaks at the question, it remembers an isolation of -1 and
   * refuses every connection after it.
   */
  private static HikariConfig pool(
      String name, int size, DataSource source, PostgresLimits limits) {
    HikariConfig config = new HikariConfig();
    config.setPoolName(name);
    config.setDataSource(source);
    config.setMaximumPoolSize(size);
    config.setMinimumIdle(1);
    config.setConnectionTimeout(limits.connect().toMillis());
    config.setValidationTimeout(Math.max(250, limits.connect().toMillis() / 2));
    // The database was reached a moment ago; if it is gone, the first call tells.
    config.setInitializationFailTimeout(-1);
    return config;
  }

  /** A connection with the one state that counts, which begins a transaction when it is used. */
  Connection writer() throws SQLException {
    return writers.getConnection();
  }

  /** A connection that cannot write. A transaction on it sees one state of the database. */
  Connection reader() throws SQLException {
    return readers.getConnection();
  }

  PostgresErrors errors() {
    return errors;
  }

  /** Closes a connection instead of using it again. */
  void discardWriter(Connection connection) {
    writers.evictConnection(connection);
  }

  /** After the server went away none of the idle connections is any good. */
  void discardIdle() {
    writers.getHikariPoolMXBean().softEvictConnections();
    readers.getHikariPoolMXBean().softEvictConnections();
  }

  @Override
  public void close() {
    try (writers) {
      readers.close();
    }
  }
}
