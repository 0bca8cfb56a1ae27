package dev.berth.acceptance;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;

/**
 * A PostgreSQL database as one SQL text: the migrations that made it, and its rows. {@code pg_dump}
 * would have to be of the same version as the server that tests bring along.
 */
final class PostgresDump {
  private static final List<String> MIGRATIONS =
      List.of("/dev/berth/ledger/migrations/", "/dev/berth/ledger/migrations-postgresql/");

  /** What Flyway makes by itself. */
  private static final String HISTORY =
      """
      CREATE TABLE schema_history (
        installed_rank INTEGER NOT NULL CONSTRAINT schema_history_pk PRIMARY KEY,
        version VARCHAR(50),
        description VARCHAR(200) NOT NULL,
        type VARCHAR(20) NOT NULL,
        script VARCHAR(1000) NOT NULL,
        checksum INTEGER,
        installed_by VARCHAR(100) NOT NULL,
        installed_on TIMESTAMP NOT NULL DEFAULT now(),
        execution_time INTEGER NOT NULL,
        success BOOLEAN NOT NULL
      );
      CREATE INDEX schema_history_s_idx ON schema_history (success);
      """;

  private PostgresDump() {}

  static String of(DataSource database) throws SQLException, IOException {
    StringBuilder dump = new StringBuilder(HISTORY);
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      for (String script :
          texts(statement, "SELECT script FROM schema_history ORDER BY installed_rank")) {
        dump.append(migration(script)).append('\n');
      }
      // Rows name those of `realm`.
      for (String table :
          texts(
              statement,
              "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
                  + " ORDER BY tablename <> 'realm', tablename")) {
        dump.append("DELETE FROM ").append(table).append(";\n");
        rows(statement, table, dump);
      }
    }
    return dump.toString();
  }

  private static String migration(String script) throws IOException {
    String name = script.substring(script.lastIndexOf('/') + 1);
    for (String folder : MIGRATIONS) {
      try (InputStream in = PostgresDump.class.getResourceAsStream(folder + name)) {
        if (in != null) {
          return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
      }
    }
    throw new AssertionError("there is no migration " + script);
  }

  private static List<String> texts(Statement statement, String question) throws SQLException {
    List<String> found = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery(question)) {
      while (rows.next()) {
        found.add(Objects.requireNonNull(rows.getString(1)));
      }
    }
    return found;
  }

  private static void rows(Statement statement, String table, StringBuilder dump)
      throws SQLException {
    // The database itself knows best how its values are quoted.
    String columns =
        String.join(
            " || ', ' || ",
            texts(
                statement,
                "SELECT 'quote_nullable(' || column_name || ')' FROM information_schema.columns"
                    + " WHERE table_schema = 'public' AND table_name = '"
                    + table
                    + "' ORDER BY ordinal_position"));
    for (String row : texts(statement, "SELECT " + columns + " FROM " + table)) {
      dump.append("INSERT INTO ").append(table).append(" VALUES (").append(row).append(");\n");
    }
  }
}
