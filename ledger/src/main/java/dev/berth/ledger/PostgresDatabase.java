package dev.berth.ledger;

import dev.berth.ledger.LedgerException.Code;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import javax.sql.DataSource;

/** The database at an address: whether it fits, and how its tables are made. */
final class PostgresDatabase implements Database {
  /** Says that a server of Berth migrates: any number that is always the same. */
  private static final long MIGRATION_LOCK = 0x6265727468L;

  private final PostgresAddress address;
  private final PostgresErrors errors;

  PostgresDatabase(PostgresAddress address) {
    this.address = address;
    this.errors = new PostgresErrors(address);
  }

  PostgresAddress address() {
    return address;
  }

  PostgresErrors errors() {
    return errors;
  }

  /** Brings the schema up to date. Of servers that start together one does it, the others wait. */
  void migrate() {
    try (Connection connection = forMigrations().getConnection()) {
      requireUnicode(connection);
      if (Schema.isBehind(connection, this)) {
        requireRights(connection);
        connection.setAutoCommit(false);
        // The lock goes with the transaction, so no server can die and keep it.
        try (Statement statement = connection.createStatement()) {
          statement.execute("SET LOCAL lock_timeout = '10min'");
          statement.execute("SELECT pg_advisory_xact_lock(" + MIGRATION_LOCK + ")");
        }
        if (Schema.isBehind(connection, this)) {
          Schema.migrate(this);
        }
        connection.rollback();
      }
    } catch (SQLException e) {
      throw errors.of(e);
    }
  }

  private void requireUnicode(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet encoding = statement.executeQuery("SHOW server_encoding")) {
      if (!encoding.next() || !"UTF8".equals(encoding.getString(1))) {
        throw new LedgerException(
            Code.CANNOT_OPEN,
            "The database "
                + address
                + " cannot hold every character. Make one with CREATE DATABASE ... ENCODING 'UTF8'"
                + " TEMPLATE template0.");
      }
    }
  }

  /** The tool that migrates would try for seconds, and then say less. */
  private void requireRights(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet schema =
            statement.executeQuery(
                "SELECT current_schema(), has_schema_privilege(current_schema(), 'CREATE')")) {
      if (!schema.next() || schema.getString(1) == null) {
        throw new LedgerException(
            Code.CANNOT_OPEN,
            "The schema that is to hold Berth's tables at "
                + address
                + " does not exist. Make it with CREATE SCHEMA, owned by the user, or check"
                + " currentSchema and search_path.");
      }
      if (!schema.getBoolean(2)) {
        throw new LedgerException(
            Code.CANNOT_OPEN,
            "The user may not make tables in the schema '"
                + schema.getString(1)
                + "' at "
                + address
                + ". Make it the owner of the database, or run GRANT CREATE, USAGE ON SCHEMA.");
      }
    }
  }

  @Override
  public String name() {
    return address.toString();
  }

  @Override
  public Dialect dialect() {
    return Dialect.POSTGRESQL;
  }

  @Override
  public DataSource forMigrations() {
    return address.dataSource(
        Map.of(
            "ApplicationName", "berth",
            "connectTimeout", "10",
            "tcpKeepAlive", "true",
            "logServerErrorDetail", "false"));
  }

  @Override
  public LedgerException error(SQLException failure) {
    return errors.of(failure);
  }
}
