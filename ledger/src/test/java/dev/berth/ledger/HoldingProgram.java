package dev.berth.ledger;

import java.io.IOException;
import java.nio.file.Path;

/** Opens a database, says how that went, and keeps it until it is killed. */
final class HoldingProgram {
  private HoldingProgram() {}

  public static void main(String[] arguments) throws IOException {
    try (Ledger ledger = SqliteLedger.open(Path.of(arguments[0]))) {
      ledger.takeOver(Samples.REALM, "holder");
      System.out.println("open");
      // The parent never writes, so this waits for the end.
      System.out.println(System.in.read());
    } catch (LedgerException e) {
      System.out.println(e.code() + " " + e.getMessage());
    }
  }
}
