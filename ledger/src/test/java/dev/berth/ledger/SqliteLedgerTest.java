package dev.berth.ledger;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.io.TempDir;

class SqliteLedgerTest extends LedgerContract {
  @TempDir Path folder;

  @Override
  Ledger openLedger() {
    return SqliteLedger.open(folder.resolve("berth.db"));
  }

  @Override
  void letTimePass(String realm, Duration time) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("berth.db"));
        Statement statement = connection.createStatement()) {
      statement.execute(
          "UPDATE realm SET alive_at = alive_at - "
              + time.toMillis()
              + " WHERE id = '"
              + realm
              + "'");
    }
  }
}
