package dev.berth.server;

import dev.berth.control.Codec;
import dev.berth.ledger.Body;
import dev.berth.ledger.Commit;
import dev.berth.ledger.EntityKey;
import dev.berth.ledger.EntityQuery;
import dev.berth.ledger.EntityRow;
import dev.berth.ledger.Ledger;
import dev.berth.ledger.LedgerException;
import dev.berth.ledger.Stored;
import dev.berth.ledger.Tenure;
import dev.berth.model.StoredSecret;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * All that is encrypted in a ledger, seen from its keys: whether they can read it, and how it comes
 * under the first of them.
 *
 * <p>A value that everybody knows is kept under the first key, so that a server without secrets
 * tells a wrong key, too.
 */
final class KeptSecrets {
  private static final System.Logger LOG = System.getLogger(KeptSecrets.class.getName());
  private static final EntityKey CHECK = new EntityKey("installation", "key");
  private static final String WORD = "berth";
  private static final int AT_ONCE = 100;

  private final Ledger ledger;
  private final Path home;

  KeptSecrets(Ledger ledger, Path home) {
    this.ledger = ledger;
    this.home = home;
  }

  /**
   * The keys that read all that is there; made where nothing is.
   *
   * @throws LedgerException where a key is missing
   */
  Keyring keys(Optional<Keyring> there) throws IOException {
    if (there.isEmpty()) {
      Optional<String> check = check();
      if (check.isPresent()) {
        throw missing("the database", Keyring.keyOf(check.get()));
      }
      return ServerKeys.make(home);
    }
    require(there.get());
    return there.get();
  }

  /**
   * Refuses keys that are not those of the ledger, without reading all that is there.
   *
   * @return whether the ledger has any yet
   */
  boolean requireSame(Keyring keys) {
    Optional<String> check = check();
    check.filter(text -> !keys.knows(text)).ifPresent(this::refuse);
    return check.isPresent();
  }

  /** Refuses keys that cannot read what is there. */
  void require(Keyring keys) {
    requireSame(keys);
    for (StoredSecret secret : secrets()) {
      if (!keys.knows(secret.sealed())) {
        throw missing(
            "the secret '" + secret.name() + "' of the project '" + secret.project() + "'",
            Keyring.keyOf(secret.sealed()));
      }
    }
  }

  private void refuse(String sealed) {
    throw missing("the database", Keyring.keyOf(sealed));
  }

  /** A key is not there that something needs. */
  LedgerException missing(String what, String key) {
    return new LedgerException(
        LedgerException.Code.CANNOT_OPEN,
        "The key "
            + key
            + " is not there, and "
            + what
            + " is encrypted with it. Put it back: as one of encryption.keys in the server's file,"
            + " after the first, or as the file "
            + ServerKeys.file(home)
            + " of the server that made it. A key can go when a server has started with another one"
            + " before it.");
  }

  private Optional<String> check() {
    return KeptRow.find(ledger, CHECK).map(tree -> tree.get("check").asString());
  }

  private List<StoredSecret> secrets() {
    return rows().stream().map(stored -> (StoredSecret) Codec.entity(stored.row())).toList();
  }

  private List<Stored<EntityRow>> rows() {
    // Former values among them, which output is hidden by.
    return ledger.listAll(Ledger.MAIN_REALM, EntityQuery.all("secret", EntityQuery.LARGEST_PAGE));
  }

  /**
   * Brings everything under the first key. Before anybody else writes; a server that ends in the
   * middle goes on at its next start, because each value says which key it is under.
   */
  void bringUnderFirst(Tenure tenure, Keyring keys) {
    List<EntityRow> old = new ArrayList<>();
    for (Stored<EntityRow> stored : rows()) {
      StoredSecret secret = (StoredSecret) Codec.entity(stored.row());
      if (!keys.isCurrent(secret.sealed())) {
        old.add(resealed(stored.row(), secret, keys));
      }
    }
    for (int from = 0; from < old.size(); from += AT_ONCE) {
      Commit.Builder commit = Commit.builder();
      old.subList(from, Math.min(old.size(), from + AT_ONCE)).forEach(commit::put);
      ledger.commit(tenure, commit.build());
    }
    if (!old.isEmpty()) {
      LOG.log(
          System.Logger.Level.INFO,
          old.size() + " secrets are under the key " + keys.firstId() + " now");
    }
    // Last, so that it stands for all.
    if (check().filter(keys::isCurrent).isEmpty()) {
      ledger.commit(
          tenure,
          Commit.builder()
              .put(KeptRow.of(CHECK, Map.of("check", keys.seal(WORD, "check"))))
              .build());
    }
  }

  private static EntityRow resealed(EntityRow row, StoredSecret secret, Keyring keys) {
    ObjectNode body = (ObjectNode) ApiJson.MAPPER.readTree(row.body().json());
    body.put("sealed", SecretStore.resealed(secret, keys));
    return row.with(new Body(row.body().version(), body.toString()));
  }
}
