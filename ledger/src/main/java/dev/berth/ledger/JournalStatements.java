package dev.berth.ledger;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads events, actions and replies. */
final class JournalStatements {
  static final String SELECT_EVENT =
      """
      SELECT seq, at, kind, entity_kind, entity_id, project, actor, body_version, body
        FROM event WHERE realm = ? AND seq > ?\
      """;
  static final String SELECT_ACTION =
      """
      SELECT created_seq, id, kind, entity_kind, entity_id, resource_key, state, due, deadline,
        attempts, finished_at, body_version, body FROM action WHERE realm = ?\
      """;
  static final String ACTION_BY_ID = SELECT_ACTION + " AND id = ?";
  static final String UNFINISHED =
      SELECT_ACTION + " AND finished_at IS NULL ORDER BY created_seq, id";
  static final String REPLY =
      """
      SELECT seq, scope, idempotency_key, request_hash, reply, at FROM reply
        WHERE realm = ? AND scope = ? AND idempotency_key = ?
      """;

  private JournalStatements() {}

  static EventPage events(KeptStatements statements, String realm, EventQuery query)
      throws SQLException {
    Optional<RealmStatus> status = RealmStatements.find(statements, realm);
    if (status.isEmpty()) {
      return new EventPage(List.of(), query.after(), 0);
    }
    List<Stored<EventRow>> found = new ArrayList<>();
    PreparedStatement statement = statements.of(eventsOf(query));
    Binder binder = new Binder(statement).text(realm).number(query.after());
    if (query.entity() != null) {
      binder.key(query.entity());
    }
    if (query.project() != null) {
      binder.text(query.project());
    }
    binder.number(query.limit());
    try (var result = statement.executeQuery()) {
      RowReader row = new RowReader(result);
      while (row.next()) {
        found.add(event(row));
      }
    }
    return EventPage.of(found, query, status.get().seq(), status.get().trimmedSeq());
  }

  static String eventsOf(EventQuery query) {
    StringBuilder sql = new StringBuilder(SELECT_EVENT);
    if (query.entity() != null) {
      sql.append(" AND entity_kind = ? AND entity_id = ?");
    }
    if (query.project() != null) {
      sql.append(" AND project = ?");
    }
    return sql.append(" ORDER BY seq LIMIT ?").toString();
  }

  static Optional<Stored<ActionRow>> findAction(KeptStatements statements, String realm, String id)
      throws SQLException {
    PreparedStatement statement = statements.of(ACTION_BY_ID);
    new Binder(statement).text(realm).text(id);
    try (var result = statement.executeQuery()) {
      RowReader row = new RowReader(result);
      return row.next() ? Optional.of(action(row)) : Optional.empty();
    }
  }

  static List<Stored<ActionRow>> unfinished(KeptStatements statements, String realm)
      throws SQLException {
    List<Stored<ActionRow>> found = new ArrayList<>();
    PreparedStatement statement = statements.of(UNFINISHED);
    new Binder(statement).text(realm);
    try (var result = statement.executeQuery()) {
      RowReader row = new RowReader(result);
      while (row.next()) {
        found.add(action(row));
      }
    }
    return found;
  }

  static Optional<Stored<ReplyRow>> findReply(
      KeptStatements statements, String realm, IdempotencyKey key) throws SQLException {
    PreparedStatement statement = statements.of(REPLY);
    new Binder(statement).text(realm).text(key.scope()).text(key.key());
    try (var result = statement.executeQuery()) {
      RowReader row = new RowReader(result);
      return row.next() ? Optional.of(reply(row)) : Optional.empty();
    }
  }

  private static Stored<EventRow> event(RowReader row) throws SQLException {
    return new Stored<>(
        row.number(),
        new EventRow(row.time(), row.text(), row.key(), row.text(), row.text(), row.body()));
  }

  private static Stored<ActionRow> action(RowReader row) throws SQLException {
    return new Stored<>(
        row.number(),
        new ActionRow(
            row.text(),
            row.text(),
            row.key(),
            row.textOrNull(),
            ActionState.ofWord(row.text()),
            row.timeOrNull(),
            row.time(),
            row.smallNumber(),
            row.timeOrNull(),
            row.body()));
  }

  private static Stored<ReplyRow> reply(RowReader row) throws SQLException {
    return new Stored<>(
        row.number(),
        new ReplyRow(
            new IdempotencyKey(row.text(), row.text()), row.text(), row.text(), row.time()));
  }
}
