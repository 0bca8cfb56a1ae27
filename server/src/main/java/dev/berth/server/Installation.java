package dev.berth.server;

import dev.berth.ledger.Body;
import dev.berth.ledger.Commit;
import dev.berth.ledger.EntityKey;
import dev.berth.ledger.EntityRow;
import dev.berth.ledger.Ledger;
import dev.berth.ledger.LedgerException;
import dev.berth.ledger.Tenure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * The mark that everything carries which an installation makes at providers. Servers that stand in
 * for each other must have the same one, or none would find what another has made.
 */
final class Installation {
  private static final EntityKey KEY = new EntityKey("installation", "mark");
  private static final int LENGTH = 16;

  private Installation() {}

  /**
   * The mark of a server: kept in its home, and where several servers share a ledger in that, too.
   *
   * @throws LedgerException where the home is one of another installation
   */
  static String of(Ledger ledger, Tenure tenure, Path data) throws IOException {
    Path file = data.resolve("installation");
    if (!ledger.isShared()) {
      return Tokens.inFile(file).substring(0, LENGTH);
    }
    String known =
        ledger
            .find(tenure.realm(), KEY)
            .map(stored -> ApiJson.MAPPER.readTree(stored.row().body().json()))
            .map(tree -> tree.get("mark").asString())
            .orElse(null);
    if (known == null) {
      String own = Tokens.inFile(file).substring(0, LENGTH);
      ledger.commit(tenure, Commit.builder().put(row(own)).build());
      return own;
    }
    if (Files.exists(file) && !Tokens.inFile(file).startsWith(known)) {
      throw new LedgerException(
          LedgerException.Code.CANNOT_OPEN,
          "The database belongs to another installation than the home folder: what that one has at"
              + " its providers would not be found. Use the home folder of the database's servers,"
              + " or an empty one; the mark of this one is in "
              + file
              + ".");
    }
    if (!Files.exists(file)) {
      PrivateFile.write(file, known + "\n");
    }
    return known;
  }

  /** It is no active entity, so that nobody reads it who decides. */
  private static EntityRow row(String mark) {
    return new EntityRow(
        KEY,
        "",
        null,
        null,
        "kept",
        false,
        null,
        0,
        new Body(1, ApiJson.MAPPER.writeValueAsString(Map.of("mark", mark))));
  }
}
