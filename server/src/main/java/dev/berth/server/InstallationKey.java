package dev.berth.server;

import dev.berth.ledger.Commit;
import dev.berth.ledger.EntityKey;
import dev.berth.ledger.Ledger;
import dev.berth.ledger.LedgerException;
import dev.berth.ledger.Tenure;
import dev.berth.server.ssh.OpenSshKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * The key with which an installation logs in to machines: generated once and kept in a file that
 * only the server's user can read. Where several servers share a ledger, it is encrypted in that,
 * too, so that each of them can log in to what another one bought.
 */
final class InstallationKey {
  private static final EntityKey ROW = new EntityKey("installation", "ssh");
  private static final String NAME = "ssh.key";

  private final Ledger ledger;
  private final Path file;

  /**
   * Reads and writes nothing yet.
   *
   * @param data the server's folder
   */
  InstallationKey(Ledger ledger, Path data) {
    this.ledger = ledger;
    this.file = data.resolve(NAME);
  }

  /**
   * The key, which is made on first use.
   *
   * @throws LedgerException where the file holds another key than the installation's
   */
  OpenSshKey open(Tenure tenure, Keyring keys, KeptSecrets kept) throws IOException {
    if (!ledger.isShared()) {
      return inFile();
    }
    JsonNode row = KeptRow.find(ledger, ROW).orElse(null);
    if (row == null) {
      OpenSshKey own = inFile();
      write(tenure, keys, own);
      return own;
    }
    requireSame();
    String sealed = row.get("sealed").asString();
    if (!keys.knows(sealed)) {
      throw kept.missing("the SSH key of the installation", Keyring.keyOf(sealed));
    }
    if (!Files.exists(file)) {
      PrivateFile.write(file, keys.open(sealed, NAME).reveal());
    }
    OpenSshKey own = inFile();
    if (!keys.isCurrent(sealed)) {
      write(tenure, keys, own);
    }
    return own;
  }

  /**
   * Refuses a file with another key than that of the servers which share the ledger.
   *
   * @return whether they have one yet
   */
  boolean requireSame() throws IOException {
    JsonNode row = KeptRow.find(ledger, ROW).orElse(null);
    if (row != null
        && Files.exists(file)
        && !row.get("public").asString().equals(inFile().publicKey())) {
      throw new LedgerException(
          LedgerException.Code.CANNOT_OPEN,
          "The key in "
              + file
              + " is not the one with which the servers of this database log in to machines. Move"
              + " it away; the server then writes the right one there.");
    }
    return row != null;
  }

  private void write(Tenure tenure, Keyring keys, OpenSshKey key) {
    Map<String, String> content =
        Map.of("public", key.publicKey(), "sealed", keys.seal(key.privateKey(), NAME));
    ledger.commit(tenure, Commit.builder().put(KeptRow.of(ROW, content)).build());
  }

  private OpenSshKey inFile() throws IOException {
    if (!Files.exists(file)) {
      OpenSshKey made = OpenSshKey.generate(new SecureRandom());
      PrivateFile.write(file, made.privateKey());
      return made;
    }
    try {
      return OpenSshKey.of(Files.readString(file));
    } catch (OpenSshKey.Unreadable e) {
      throw new IOException(
          "The SSH key in "
              + file
              + " cannot be used: "
              + e.getMessage()
              + ". Put it back, or machines that let it in cannot be reached; if there are none,"
              + " delete it, and the server makes a new one.");
    }
  }
}
