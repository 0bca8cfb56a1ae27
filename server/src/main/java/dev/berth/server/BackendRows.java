package dev.berth.server;

import dev.berth.ledger.Commit;
import dev.berth.ledger.EntityKey;
import dev.berth.ledger.EntityQuery;
import dev.berth.ledger.EntityRow;
import dev.berth.ledger.Ledger;
import dev.berth.ledger.Stored;
import dev.berth.ledger.Tenure;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;

/** Keeps backends in a ledger that several servers share, so that each of them finds them. */
final class BackendRows implements KeptBackends {
  private static final System.Logger LOG = System.getLogger(BackendRows.class.getName());
  private static final String KIND = "backend";

  private final Ledger ledger;
  private final Keyring keys;
  // Written once, before others than the starting thread use this.
  private volatile Supplier<Tenure> tenure;

  BackendRows(Ledger ledger, Tenure tenure, Keyring keys) {
    this.ledger = ledger;
    this.tenure = () -> tenure;
    this.keys = keys;
  }

  /** From now on the tenure may change. */
  void writeUnder(Supplier<Tenure> current) {
    tenure = current;
  }

  /** Takes over what a server kept in its home before it shared a ledger. */
  void takeIn(BackendFiles files) {
    List<String> known = all().stream().map(StoredBackend::key).toList();
    for (StoredBackend backend : files.all()) {
      if (!known.contains(backend.key())) {
        write(backend);
      }
      files.delete(backend.key());
    }
  }

  @Override
  public List<StoredBackend> all() {
    return rows().stream().flatMap(this::readable).toList();
  }

  private List<EntityRow> rows() {
    return ledger
        .listAll(Ledger.MAIN_REALM, EntityQuery.all(KIND, EntityQuery.LARGEST_PAGE))
        .stream()
        .map(Stored::row)
        .toList();
  }

  private Stream<StoredBackend> readable(EntityRow row) {
    try {
      return Stream.of(SealedBackend.read(row.body().json(), keys));
    } catch (Keyring.Unreadable | JacksonException e) {
      // Its text may hold secrets, so neither it nor the parser's message is shown.
      String why = e instanceof Keyring.Unreadable ? ": " + e.getMessage() : "";
      LOG.log(System.Logger.Level.ERROR, "The backend " + row.key().id() + " cannot be read" + why);
      return Stream.of();
    }
  }

  @Override
  public void write(StoredBackend backend) {
    EntityRow row =
        KeptRow.of(new EntityKey(KIND, backend.key()), SealedBackend.json(backend, keys));
    ledger.commit(tenure.get(), Commit.builder().put(row).build());
  }

  @Override
  public void delete(String key) {
    ledger.commit(tenure.get(), Commit.builder().delete(new EntityKey(KIND, key)).build());
  }

  @Override
  public void bringUnderFirst(KeptSecrets kept) {
    for (EntityRow row : rows()) {
      String sealed = SealedBackend.sealedIn(row.body().json());
      if (!keys.knows(sealed)) {
        throw kept.missing("the backend '" + row.key().id() + "'", Keyring.keyOf(sealed));
      }
      if (!keys.isCurrent(sealed)) {
        readable(row).forEach(this::write);
      }
    }
  }
}
