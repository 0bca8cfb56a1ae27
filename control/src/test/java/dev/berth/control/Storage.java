package dev.berth.control;

import dev.berth.ledger.InMemoryLedger;
import dev.berth.ledger.Ledger;
import dev.berth.ledger.SqliteLedger;
import java.nio.file.Path;

/** Where the loop's ledger is. */
enum Storage {
  IN_MEMORY {
    @Override
    Ledger open(Path folder) {
      return new InMemoryLedger();
    }

    @Override
    Ledger reopen(Ledger ledger, Path folder) {
      return ledger;
    }
  },
  SQLITE {
    @Override
    Ledger open(Path folder) {
      return SqliteLedger.open(folder.resolve("berth.db"));
    }

    @Override
    Ledger reopen(Ledger ledger, Path folder) {
      ledger.close();
      return open(folder);
    }
  };

  abstract Ledger open(Path folder);

  /** As after a restart of the server. */
  abstract Ledger reopen(Ledger ledger, Path folder);
}
