package dev.berth.ledger;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/** The database file: how it is made and how connections to it are set up. */
final class SqliteFile implements Database {
  // An answered commit survives a power cut only with FULL (and, on macOS, with fullfsync).
  private static final List<String> EVERY_CONNECTION =
      List.of(
          "PRAGMA busy_timeout = 5000",
          "PRAGMA foreign_keys = ON",
          "PRAGMA synchronous = FULL",
          "PRAGMA fullfsync = ON",
          "PRAGMA temp_store = MEMORY",
          "PRAGMA cache_size = -8192");
  // A long read keeps the log from being reused; the limit gives the disk back afterwards.
  private static final List<String> WRITER =
      List.of("PRAGMA wal_autocheckpoint = 4000", "PRAGMA journal_size_limit = 67108864");

  private final Path path;
  private final SqliteErrors errors;

  /** The file at a path, which may be a link. */
  SqliteFile(Path path) {
    // One file has one name, or two names would have two lock files.
    this.path = PrivateFiles.withoutLinks(path);
    this.errors = new SqliteErrors(this.path);
  }

  Path path() {
    return path;
  }

  SqliteErrors errors() {
    return errors;
  }

  @Override
  public String name() {
    return path.toString();
  }

  @Override
  public Dialect dialect() {
    return Dialect.SQLITE;
  }

  @Override
  public DataSource forMigrations() {
    SQLiteDataSource source = new SQLiteDataSource();
    source.setUrl("jdbc:sqlite:" + path);
    return source;
  }

  @Override
  public LedgerException error(SQLException failure) {
    return errors.of(failure);
  }

  /**
   * Makes an empty file for SQLite where there is none. SQLite gives its log files the same
   * permissions.
   */
  void create() throws IOException {
    if (path.toString().contains("?")) {
      throw new IOException("a path with a question mark cannot be used");
    }
    PrivateFiles.createIfAbsent(path);
    if (!Files.isRegularFile(path)) {
      throw new IOException(path + " is not a file");
    }
  }

  Connection openWriter() throws SQLException {
    Connection connection = new SQLiteConfig().createConnection("jdbc:sqlite:" + path);
    return prepared(
        connection,
        () -> {
          useWriteAheadLog(connection);
          run(connection, EVERY_CONNECTION);
          run(connection, WRITER);
        });
  }

  /** A connection that cannot write. A transaction on it sees one state of the database. */
  Connection openReader() throws SQLException {
    Connection connection = new SQLiteConfig().createConnection("jdbc:sqlite:" + path);
    return prepared(
        connection,
        () -> {
          run(connection, EVERY_CONNECTION);
          run(connection, List.of("PRAGMA query_only = ON"));
        });
  }

  private interface Preparation {
    void run() throws SQLException;
  }

  private static Connection prepared(Connection connection, Preparation preparation)
      throws SQLException {
    try {
      preparation.run();
      return connection;
    } catch (SQLException e) {
      try {
        connection.close();
      } catch (SQLException closing) {
        e.addSuppressed(closing);
      }
      throw e;
    }
  }

  private void useWriteAheadLog(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet mode = statement.executeQuery("PRAGMA journal_mode = WAL")) {
      if (!mode.next() || !"wal".equals(mode.getString(1))) {
        throw new LedgerException(
            LedgerException.Code.CANNOT_OPEN,
            path
                + " is on a file system that cannot hold a write-ahead log (a network share, for"
                + " example). Put the data directory on a local disk.");
      }
    }
  }

  private static void run(Connection connection, List<String> statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }
}
