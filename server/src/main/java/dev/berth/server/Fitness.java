package dev.berth.server;

import dev.berth.ledger.Ledger;
import dev.berth.server.blobs.BlobException;
import dev.berth.server.blobs.BlobStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/**
 * Whether a server could go on for the one that is active: with its home, its keys and its store of
 * uploads. Looked at until it is known, because of two servers that are the first ones, neither
 * finds what the other one has when it starts. Used by one thread.
 */
final class Fitness {
  /** A store that does not answer may take long to say so, and nobody takes over meanwhile. */
  private static final int LOOKS_BETWEEN = 30;

  private final Ledger ledger;
  private final Path data;
  private final KeptSecrets kept;
  private final Keyring keys;
  private final InstallationKey sshKey;
  private final BlobStore store;
  private boolean sameHome;
  private boolean sameKeys;
  private boolean sameSshKey;
  private boolean sameStore;
  private int untilStore;

  Fitness(
      Ledger ledger,
      Path data,
      KeptSecrets kept,
      Keyring keys,
      InstallationKey sshKey,
      BlobStore store) {
    this.ledger = ledger;
    this.data = data;
    this.kept = kept;
    this.keys = keys;
    this.sshKey = sshKey;
    this.store = store;
  }

  /**
   * Looks at what is not known yet. Writes nothing.
   *
   * @throws dev.berth.ledger.LedgerException where home or keys are others than those of the ledger
   * @throws BlobException where the store is another one
   */
  void require() {
    try {
      sameHome = sameHome || Installation.requireSameHome(ledger, data);
      sameSshKey = sameSshKey || sshKey.requireSame();
    } catch (IOException e) {
      throw new UncheckedIOException("The mark or key of this server cannot be read: " + e, e);
    }
    sameKeys = sameKeys || kept.requireSame(keys);
    if (!sameStore && untilStore-- <= 0 && Installation.isStoreMarked(ledger)) {
      sameStore = Installation.requireSameStore(ledger, store);
      untilStore = LOOKS_BETWEEN;
    }
  }
}
