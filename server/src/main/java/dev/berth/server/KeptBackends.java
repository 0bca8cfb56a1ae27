package dev.berth.server;

import dev.berth.ledger.LedgerException;
import java.util.List;

/** Where the backends are kept that were added or declared, with their settings encrypted. */
interface KeptBackends {
  /** All of them. One that cannot be read is told and left alone. */
  List<StoredBackend> all();

  void write(StoredBackend backend);

  /** Forgets one; silent where it is not there. */
  void delete(String key);

  /**
   * Brings all of them under the first key. One at a time and each as a whole, so that a server
   * that ends in the middle goes on at its next start.
   *
   * @throws LedgerException where a key is missing
   */
  void bringUnderFirst(KeptSecrets kept);
}
