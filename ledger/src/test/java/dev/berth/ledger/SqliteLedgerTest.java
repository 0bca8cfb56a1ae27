package dev.berth.ledger;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteLedgerTest extends LedgerContract {
  @TempDir Path folder;

  @Override
  Ledger openLedger() {
    return SqliteLedger.open(folder.resolve("berth.db"));
  }
}
