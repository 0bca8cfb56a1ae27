package dev.berth.ledger;

import java.sql.SQLException;
import javax.sql.DataSource;

/** A database that a ledger is kept in, as far as its schema is concerned. */
interface Database {
  /** How it is called in messages; never with a password. */
  String name();

  Dialect dialect();

  /** Connections for migrations, which may take as long as they need. */
  DataSource forMigrations();

  /** What a failure means for the caller. */
  LedgerException error(SQLException failure);
}
