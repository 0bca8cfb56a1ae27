package dev.berth.ledger;

import java.sql.SQLException;

/** Something to do with the statements of a connection. */
interface SqlWork<T> {
  T on(KeptStatements statements) throws SQLException;
}
