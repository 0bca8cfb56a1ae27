package dev.berth.ledger;

import java.time.Duration;

/**
 * How long the ledger waits for PostgreSQL, so that a database that hangs does not hang Berth.
 *
 * @param connect for a connection, new or from the pool
 * @param statement for one statement of the server; the server ends it then
 * @param answer for any byte of the server, longer than a statement may take; the connection is
 *     given up then. To the second
 * @param idleInTransaction how long the server keeps a write transaction, and with it the realm's
 *     row, of a Berth that says nothing: one that is stopped, or whose machine is gone
 * @param readers how many reads go on at the same time
 */
public record PostgresLimits(
    Duration connect,
    Duration statement,
    Duration answer,
    Duration idleInTransaction,
    int readers) {
  /** What fits a database in the same place. The standby of a stopped server takes over in 15 s. */
  public static final PostgresLimits USUAL =
      new PostgresLimits(
          Duration.ofSeconds(5),
          Duration.ofSeconds(10),
          Duration.ofSeconds(15),
          Duration.ofSeconds(5),
          4);

  public PostgresLimits {
    if (answer.compareTo(statement) <= 0) {
      throw new IllegalArgumentException("an answer must have longer than a statement");
    }
    if (answer.toSeconds() < 1 || connect.toMillis() < 250 || readers < 1) {
      throw new IllegalArgumentException("a limit is too small");
    }
  }
}
