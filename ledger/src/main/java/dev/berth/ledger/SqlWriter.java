package dev.berth.ledger;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * What writes to a database. Used by the writer thread only, which is why no other field is guarded
 * than the list of those who listen.
 *
 * <p>After a commit whose outcome is not known nothing is written in its realm before that is taken
 * over again.
 */
abstract sealed class SqlWriter permits SqliteWriter, PostgresWriter {
  private final UnclearRealms unclear = new UnclearRealms();
  private final List<Consumer<String>> listeners = new CopyOnWriteArrayList<>();

  /** Does work that may take the realm over. */
  final Optional<Tenure> taking(Tenure wanted, SqlWork<Optional<Tenure>> work) {
    Optional<Tenure> begun = inTransaction(wanted, work);
    begun.ifPresent(unclear::settle);
    return begun;
  }

  /** Does the work in a transaction whose first statement is the fence. */
  final <T> T fenced(Tenure tenure, SqlWork<T> work) {
    unclear.requireClear(tenure);
    return counted(tenure, () -> inTransaction(tenure, work));
  }

  /** Does fenced work of one statement, of which nobody needs to know whether it was stored. */
  final <T> T fencedOnce(Tenure tenure, SqlWork<T> work) {
    unclear.requireClear(tenure);
    return counted(tenure, () -> once(work));
  }

  /** A write that comes too late is counted where everybody sees it. */
  private <T> T counted(Tenure tenure, Supplier<T> write) {
    try {
      return write.get();
    } catch (FencedException e) {
      // Only what was taken over gets here: an unclear realm is refused before.
      try {
        once(statements -> RealmStatements.countStale(statements, tenure));
      } catch (LedgerException uncounted) {
        e.addSuppressed(uncounted);
      }
      throw e;
    }
  }

  /** Safe for any thread. */
  final void whenUnclear(Consumer<String> listener) {
    listeners.add(listener);
  }

  /** Remembers that the outcome of a commit is not known, and says so. */
  final CommitUnknownException doubt(Tenure tenure, LedgerException cause) {
    CommitUnknownException doubt = unclear.doubt(tenure, cause);
    listeners.forEach(listener -> listener.accept(tenure.realm()));
    return doubt;
  }

  /** Does the work between begin and commit; a commit that fails is told by {@link #doubt}. */
  abstract <T> T inTransaction(Tenure tenure, SqlWork<T> work);

  /** Does work of one statement, which is a transaction by itself. */
  abstract <T> T once(SqlWork<T> work);
}
