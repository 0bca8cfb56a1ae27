package dev.berth.ledger;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.NullMarked;

/** Lets tests of other modules fail the commits of a real ledger, so that they are unclear. */
@NullMarked
public final class FailingCommits implements TransactionControl {
  private final TransactionControl real = TransactionControl.sqlite();
  private final AtomicInteger failing = new AtomicInteger();

  /** A ledger in a file, whose commits fail where this says so. */
  public SqliteLedger open(Path database) {
    return SqliteLedger.open(database, this);
  }

  /** So many of the next commits are stored, and nobody knows. */
  public void failNext(int count) {
    failing.set(count);
  }

  @Override
  public void begin(Connection connection) throws SQLException {
    real.begin(connection);
  }

  @Override
  public void commit(Connection connection) throws SQLException {
    real.commit(connection);
    if (failing.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      throw new SQLException("the disk went away", "", 10);
    }
  }

  @Override
  public void rollback(Connection connection) throws SQLException {
    real.rollback(connection);
  }
}
