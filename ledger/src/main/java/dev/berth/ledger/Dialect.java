package dev.berth.ledger;

import java.util.List;

/** What SQLite and PostgreSQL say differently. Everything else is one text for both. */
enum Dialect {
  SQLITE(
      "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
      "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'schema_history'",
      "SELECT max(CAST(version AS INTEGER)) FROM schema_history WHERE success",
      true,
      List.of("classpath:dev/berth/ledger/migrations")),
  POSTGRESQL(
      "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)",
      "SELECT count(to_regclass('schema_history'))",
      "SELECT max(floor(CAST(version AS NUMERIC))) FROM schema_history WHERE success",
      false,
      List.of(
          "classpath:dev/berth/ledger/migrations",
          "classpath:dev/berth/ledger/migrations-postgresql"));

  private final String now;
  private final String countHistories;
  private final String newestMigration;
  private final boolean writesEveryNamedIndex;
  private final List<String> migrations;

  Dialect(
      String now,
      String countHistories,
      String newestMigration,
      boolean writesEveryNamedIndex,
      List<String> migrations) {
    this.now = now;
    this.countHistories = countHistories;
    this.newestMigration = newestMigration;
    this.writesEveryNamedIndex = writesEveryNamedIndex;
    this.migrations = migrations;
  }

  /** The database's clock at this moment, in milliseconds since 1970. */
  String now() {
    return now;
  }

  /** Asks whether there is a table of the migrations that were carried out. */
  String countHistories() {
    return countHistories;
  }

  /** Asks for the newest migration that was carried out, as a whole number. */
  String newestMigration() {
    return newestMigration;
  }

  /**
   * Whether an update writes each index with a column that the statement sets, even where the value
   * stays the same. PostgreSQL compares the values itself.
   */
  boolean writesEveryNamedIndex() {
    return writesEveryNamedIndex;
  }

  /**
   * The condition that a row is among some of its table, which are chosen by an index. PostgreSQL
   * would look through the whole table for their keys, so it gets the places of the rows.
   *
   * @param key the columns that tell the row from others of its realm
   */
  String among(String key, String choice) {
    return switch (this) {
      case SQLITE -> "(%s) IN (SELECT %s %s)".formatted(key, key, choice);
      case POSTGRESQL -> "ctid = ANY (ARRAY(SELECT ctid %s))".formatted(choice);
    };
  }

  /** Where the migrations are: one list for both, and what only one of them needs in between. */
  List<String> migrations() {
    return migrations;
  }
}
