package dev.berth.ledger;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The one connection that writes. Used by the writer thread only, which is why no field is guarded.
 *
 * <p>After any failure but a broken rule the connection is thrown away and opened again when it is
 * needed: SQLite may or may not have rolled back by itself, and closing settles that.
 */
final class SqliteWriter implements AutoCloseable {
  private final SqliteFile file;
  private final TransactionControl transactions;
  private final Set<String> unclearRealms = new HashSet<>();
  private @Nullable KeptStatements statements;

  SqliteWriter(SqliteFile file, TransactionControl transactions) {
    this.file = file;
    this.transactions = transactions;
  }

  interface Work<T> {
    T on(KeptStatements statements) throws SQLException;
  }

  /** Opens the connection and brings the schema up to date. */
  void open() {
    try {
      Schema.migrate(statements().connection(), file);
    } catch (SQLException e) {
      throw file.errors().of(e);
    }
  }

  Tenure takeOver(Tenure wanted) {
    Tenure tenure = inTransaction(wanted, c -> RealmStatements.takeOver(c, wanted));
    unclearRealms.remove(tenure.realm());
    return tenure;
  }

  /** Does the work in a transaction whose first statement is the fence. */
  <T> T fenced(Tenure tenure, Work<T> work) {
    if (unclearRealms.contains(tenure.realm())) {
      throw FencedException.afterUnknownCommit(tenure);
    }
    return inTransaction(tenure, work);
  }

  @Override
  public void close() {
    KeptStatements open = statements;
    statements = null;
    if (open != null) {
      try {
        open.connection().close();
      } catch (SQLException e) {
        throw file.errors().of(e);
      }
    }
  }

  private <T> T inTransaction(Tenure tenure, Work<T> work) {
    Connection current;
    T result;
    try {
      KeptStatements open = statements();
      current = open.connection();
      transactions.begin(current);
      result = work.on(open);
    } catch (SQLException e) {
      LedgerException failure = file.errors().of(e);
      abandon(failure);
      throw failure;
    } catch (RuntimeException | Error e) {
      abandon(e);
      throw e;
    }
    try {
      transactions.commit(current);
      return result;
    } catch (SQLException e) {
      unclearRealms.add(tenure.realm());
      CommitUnknownException failure = new CommitUnknownException(tenure, file.errors().of(e));
      discard(failure);
      throw failure;
    }
  }

  /** Undoes the transaction; nothing of it was committed, so closing the connection is enough. */
  private void abandon(Throwable failure) {
    KeptStatements current = statements;
    if (current != null && keepsConnection(failure)) {
      try {
        transactions.rollback(current.connection());
        return;
      } catch (SQLException e) {
        failure.addSuppressed(e);
      }
    }
    discard(failure);
  }

  private static boolean keepsConnection(Throwable failure) {
    return failure instanceof FencedException || failure instanceof ConstraintException;
  }

  private void discard(Throwable failure) {
    try {
      close();
    } catch (LedgerException e) {
      failure.addSuppressed(e);
    }
  }

  private KeptStatements statements() throws SQLException {
    KeptStatements current = statements;
    if (current == null) {
      current = new KeptStatements(file.openWriter());
      statements = current;
    }
    return current;
  }
}
