package dev.berth.ledger;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/** Writes a commit: one batch for each table, whatever the number of messages behind it. */
final class CommitStatements {
  private static final String DELETE_ENTITY =
      "DELETE FROM entity WHERE realm = ? AND kind = ? AND id = ?";
  private static final String PUT_ENTITY =
      """
      INSERT INTO entity (realm, kind, id, project, name, parent, state, active, due, sort_key,
        body_version, body, changed_seq) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (realm, kind, id) DO UPDATE SET project = excluded.project, name = excluded.name,
        parent = excluded.parent, state = excluded.state, active = excluded.active,
        due = excluded.due, sort_key = excluded.sort_key, body_version = excluded.body_version,
        body = excluded.body, changed_seq = excluded.changed_seq
      """;
  private static final String ADD_EVENT =
      """
      INSERT INTO event (realm, seq, at, kind, entity_kind, entity_id, project, actor, body_version,
        body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """;
  // created_seq stays what it was.
  private static final String PUT_ACTION =
      """
      INSERT INTO action (realm, id, kind, entity_kind, entity_id, resource_key, state, due,
        deadline, attempts, finished_at, body_version, body, created_seq)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (realm, id) DO UPDATE SET kind = excluded.kind,
        entity_kind = excluded.entity_kind, entity_id = excluded.entity_id,
        resource_key = excluded.resource_key, state = excluded.state, due = excluded.due,
        deadline = excluded.deadline, attempts = excluded.attempts,
        finished_at = excluded.finished_at, body_version = excluded.body_version,
        body = excluded.body
      """;
  private static final String ADD_REPLY =
      """
      INSERT INTO reply (realm, scope, idempotency_key, request_hash, reply, seq, at)
        VALUES (?, ?, ?, ?, ?, ?, ?)
      """;

  private CommitStatements() {}

  static Committed write(Connection connection, Tenure tenure, Commit commit) throws SQLException {
    Committed numbers = RealmStatements.fence(connection, tenure, commit.events().size());
    String realm = tenure.realm();
    long last = numbers.lastSeq();
    batch(
        connection, DELETE_ENTITY, commit.deletes(), (binder, key) -> binder.text(realm).key(key));
    batch(
        connection,
        PUT_ENTITY,
        inOrder(commit.puts(), EntityRow::active),
        (binder, row) -> bind(binder.text(realm), row).number(last));
    batch(
        connection,
        PUT_ACTION,
        inOrder(commit.actions(), row -> !row.state().finished()),
        (binder, row) -> bind(binder.text(realm), row).number(last));
    batch(
        connection,
        ADD_REPLY,
        commit.replies(),
        (binder, row) ->
            binder
                .text(realm)
                .text(row.key().scope())
                .text(row.key().key())
                .text(row.requestHash())
                .text(row.reply())
                .number(last)
                .time(row.at()));
    addEvents(connection, realm, numbers.firstSeq(), commit.events());
    return numbers;
  }

  /** What gives a name or a resource free goes before what may take it. The order else is kept. */
  private static <T> List<T> inOrder(List<T> rows, Predicate<T> takes) {
    return rows.stream().sorted(Comparator.comparing(takes::test)).toList();
  }

  private static Binder bind(Binder binder, EntityRow row) throws SQLException {
    return binder
        .key(row.key())
        .text(row.project())
        .text(row.name())
        .text(row.parent())
        .text(row.state())
        .flag(row.active())
        .time(row.due())
        .number(row.sortKey())
        .body(row.body());
  }

  private static Binder bind(Binder binder, ActionRow row) throws SQLException {
    return binder
        .text(row.id())
        .text(row.kind())
        .key(row.entity())
        .text(row.resourceKey())
        .text(row.state().word())
        .time(row.due())
        .time(row.deadline())
        .number(row.attempts())
        .time(row.finishedAt())
        .body(row.body());
  }

  private static void addEvents(
      Connection connection, String realm, long firstSeq, List<EventRow> events)
      throws SQLException {
    long[] seq = {firstSeq};
    batch(
        connection,
        ADD_EVENT,
        events,
        (binder, row) ->
            binder
                .text(realm)
                .number(seq[0]++)
                .time(row.at())
                .text(row.kind())
                .key(row.entity())
                .text(row.project())
                .text(row.actor())
                .body(row.body()));
  }

  private interface RowBinding<T> {
    Binder bind(Binder binder, T row) throws SQLException;
  }

  private static <T> void batch(
      Connection connection, String sql, Collection<T> rows, RowBinding<T> binding)
      throws SQLException {
    if (rows.isEmpty()) {
      return;
    }
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      Binder binder = new Binder(statement);
      for (T row : rows) {
        binding.bind(binder, row).endRow();
      }
      statement.executeBatch();
    }
  }
}
