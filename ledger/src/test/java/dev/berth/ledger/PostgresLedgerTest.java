package dev.berth.ledger;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

class PostgresLedgerTest extends LedgerContract {
  private static PostgresAddress address;

  @BeforeAll
  static void makeDatabase() {
    address = PostgresServer.newDatabase();
  }

  @AfterEach
  void empty() {
    PostgresServer.empty(address);
  }

  @Override
  Ledger openLedger() {
    return PostgresLedger.open(address);
  }

  @Override
  void letTimePass(String realm, Duration time) {
    PostgresServer.run(
        address,
        "UPDATE realm SET alive_at = alive_at - "
            + time.toMillis()
            + " WHERE id = '"
            + realm
            + "'");
  }
}
