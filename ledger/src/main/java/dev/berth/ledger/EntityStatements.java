package dev.berth.ledger;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Reads entities. Each question is answered by one index. */
final class EntityStatements {
  static final String SELECT =
      """
      SELECT changed_seq, kind, id, project, name, parent, state, active, due, sort_key,
        body_version, body FROM entity WHERE realm = ?\
      """;
  static final String BY_KEY = SELECT + " AND kind = ? AND id = ?";
  static final String ACTIVE = SELECT + " AND active = TRUE ORDER BY kind, sort_key, id";
  static final String ACTIVE_BY_NAME =
      SELECT + " AND kind = ? AND project = ? AND name = ? AND active = TRUE";
  static final String LATEST_BY_NAME =
      SELECT + " AND kind = ? AND project = ? AND name = ? ORDER BY sort_key DESC, id DESC LIMIT 1";

  private EntityStatements() {}

  static Optional<Stored<EntityRow>> find(KeptStatements statements, String realm, EntityKey key)
      throws SQLException {
    return first(statements, BY_KEY, realm, key.kind(), key.id());
  }

  static Optional<Stored<EntityRow>> findNamed(
      KeptStatements statements, String sql, String realm, String kind, String project, String name)
      throws SQLException {
    return first(statements, sql, realm, kind, project, name);
  }

  static long readActive(
      KeptStatements statements, String realm, Consumer<Stored<EntityRow>> receiver)
      throws SQLException {
    long seq = RealmStatements.find(statements, realm).map(RealmStatus::seq).orElse(0L);
    PreparedStatement statement = statements.of(ACTIVE);
    new Binder(statement).text(realm);
    try (var result = statement.executeQuery()) {
      RowReader row = new RowReader(result);
      while (row.next()) {
        receiver.accept(entity(row));
      }
    }
    return seq;
  }

  static Page<Stored<EntityRow>> list(KeptStatements statements, String realm, EntityQuery query)
      throws SQLException {
    Optional<Cursor> cursor = Cursor.of(query);
    List<Stored<EntityRow>> found = new ArrayList<>();
    PreparedStatement statement = statements.of(listing(query, cursor.isPresent()));
    Binder binder = new Binder(statement).text(realm).text(query.kind());
    if (query.project() != null) {
      binder.text(query.project());
    }
    if (query.parent() != null) {
      binder.text(query.parent());
    }
    if (query.namePrefix() != null) {
      binder.text(query.namePrefix()).text(query.namePrefix());
    }
    if (cursor.isPresent()) {
      binder.number(cursor.get().sortKey()).text(cursor.get().id());
    }
    binder.number(query.limit() + 1L);
    try (var result = statement.executeQuery()) {
      RowReader row = new RowReader(result);
      while (row.next()) {
        found.add(entity(row));
      }
    }
    return Cursor.page(found, query);
  }

  static String listing(EntityQuery query, boolean continued) {
    StringBuilder sql = new StringBuilder(SELECT).append(" AND kind = ?");
    if (query.project() != null) {
      sql.append(" AND project = ?");
    }
    if (query.parent() != null) {
      sql.append(" AND parent = ?");
    }
    if (query.namePrefix() != null) {
      // Not LIKE, which ignores case in SQLite and has letters with a meaning of their own.
      sql.append(" AND substr(name, 1, length(?)) = ?");
    }
    if (query.activeOnly()) {
      // Of one parent there are few, of what is active there may be many. Both indexes have as many
      // equal columns, and SQLite would take that of the active ones if it could.
      sql.append(query.parent() == null ? " AND active = TRUE" : " AND active IS TRUE");
    }
    if (continued) {
      sql.append(" AND (sort_key, id) < (?, ?)");
    }
    return sql.append(" ORDER BY sort_key DESC, id DESC LIMIT ?").toString();
  }

  private static Optional<Stored<EntityRow>> first(
      KeptStatements statements, String sql, String... parameters) throws SQLException {
    PreparedStatement statement = statements.of(sql);
    Binder binder = new Binder(statement);
    for (String parameter : parameters) {
      binder.text(parameter);
    }
    try (var result = statement.executeQuery()) {
      RowReader row = new RowReader(result);
      return row.next() ? Optional.of(entity(row)) : Optional.empty();
    }
  }

  private static Stored<EntityRow> entity(RowReader row) throws SQLException {
    return new Stored<>(
        row.number(),
        new EntityRow(
            row.key(),
            row.text(),
            row.textOrNull(),
            row.textOrNull(),
            row.text(),
            row.flag(),
            row.timeOrNull(),
            row.number(),
            row.body()));
  }
}
