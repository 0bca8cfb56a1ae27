package dev.berth.server;

import dev.berth.ledger.Commit;
import dev.berth.ledger.EntityKey;
import dev.berth.ledger.EntityRow;
import dev.berth.ledger.Ledger;
import dev.berth.ledger.LedgerException;
import dev.berth.ledger.Tenure;
import dev.berth.model.Sha256;
import dev.berth.server.blobs.BlobException;
import dev.berth.server.blobs.BlobName;
import dev.berth.server.blobs.BlobStore;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The mark that everything carries which an installation makes at providers. Servers that stand in
 * for each other must have the same one, or none would find what another has made.
 */
final class Installation {
  private static final EntityKey KEY = new EntityKey("installation", "mark");
  private static final System.Logger LOG = System.getLogger(Installation.class.getName());
  private static final int LENGTH = 16;

  /** Whether the mark is in the store of uploads, too. */
  private static final String MARKED = "blobs";

  private Installation() {}

  /**
   * The mark of a server: kept in its home, and where several servers share a ledger in that, too.
   *
   * @throws LedgerException where the home is one of another installation
   */
  static String of(Ledger ledger, Tenure tenure, Path data) throws IOException {
    Path file = data.resolve("installation");
    if (!ledger.isShared()) {
      return own(file);
    }
    if (!requireSameHome(ledger, data)) {
      String own = own(file);
      ledger.commit(tenure, Commit.builder().put(row(own, false)).build());
      return own;
    }
    String known = Objects.requireNonNull(known(ledger)).get("mark").asString();
    if (!Files.exists(file)) {
      PrivateFile.write(file, known + "\n");
    }
    return known;
  }

  /** The mark in a file, which is made where it is missing. */
  static String own(Path file) throws IOException {
    return Tokens.inFile(file).substring(0, LENGTH);
  }

  /**
   * Says no to a home of another installation than the ledger's. Writes nothing.
   *
   * @return whether the ledger has a mark yet
   */
  static boolean requireSameHome(Ledger ledger, Path data) throws IOException {
    JsonNode kept = known(ledger);
    if (kept == null) {
      return false;
    }
    Path file = data.resolve("installation");
    String known = kept.get("mark").asString();
    if (Files.exists(file) && !Tokens.inFile(file).startsWith(known)) {
      throw new LedgerException(
          LedgerException.Code.CANNOT_OPEN,
          "The database belongs to another installation than the home folder: what that one has at"
              + " its providers would not be found. Use the home folder of the database's servers,"
              + " or an empty one; the mark of this one is in "
              + file
              + ".");
    }
    return true;
  }

  /**
   * Says no to a store of uploads that is not the one of the installation: what other servers took
   * in would not be found. Where the store does not answer, nothing is said: everything but uploads
   * goes on without it.
   *
   * @return whether the mark is in it
   * @throws BlobException where the mark is known to be in the right store, and is not in this one
   */
  static boolean requireSameStore(Ledger ledger, BlobStore store) {
    JsonNode known = known(ledger);
    if (known == null || !isMarked(known)) {
      return false;
    }
    boolean there;
    try {
      there = store.find(markBlob(known.get("mark").asString())).isPresent();
    } catch (BlobException e) {
      if (!e.code().retryable()) {
        throw e;
      }
      LOG.log(
          System.Logger.Level.WARNING,
          "Whether the store of uploads is the right one is not known: " + e.getMessage());
      return false;
    }
    if (!there) {
      throw new BlobException(
          BlobException.Code.CANNOT_OPEN,
          "The server's store of uploads ("
              + store.describe()
              + ") is not the one that the servers of this database use. Name the same folder or"
              + " bucket as they do, with 'blobs' in server.yml; if it is the same and its content"
              + " was lost, put back a copy.",
          null);
    }
    return true;
  }

  /** Whether the store of uploads of the installation can be told from others. */
  static boolean isStoreMarked(Ledger ledger) {
    return isMarked(known(ledger));
  }

  private static boolean isMarked(@Nullable JsonNode known) {
    return known != null && known.path(MARKED).asBoolean(false);
  }

  /**
   * Leaves the mark in the store of uploads, so that servers with another one can be told so. Once:
   * a store that does not answer holds up no take-over, and a wrong one does not become right.
   */
  static void markStore(Ledger ledger, Tenure tenure, BlobStore store, String mark) {
    if (!ledger.isShared() || isMarked(known(ledger))) {
      return;
    }
    store.put(markBlob(mark), new ByteArrayInputStream(mark.getBytes(StandardCharsets.US_ASCII)));
    ledger.commit(tenure, Commit.builder().put(row(mark, true)).build());
  }

  private static @Nullable JsonNode known(Ledger ledger) {
    return KeptRow.find(ledger, KEY).orElse(null);
  }

  private static BlobName markBlob(String mark) {
    return new BlobName("installation", Sha256.of(mark.getBytes(StandardCharsets.US_ASCII)));
  }

  private static EntityRow row(String mark, boolean marked) {
    return KeptRow.of(KEY, Map.of("mark", mark, MARKED, marked));
  }
}
