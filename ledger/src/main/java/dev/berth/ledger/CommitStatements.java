package dev.berth.ledger;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
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

  /**
   * Changes a row that stays where it is in every index, which most changes do: an index that no
   * written column belongs to is not touched, and there are six.
   */
  private static final String CHANGE_ENTITY =
      """
      UPDATE entity SET state = ?, due = ?, body_version = ?, body = ?, changed_seq = ?
        WHERE realm = ? AND kind = ? AND id = ? AND project = ? AND name IS NOT DISTINCT FROM ?
        AND parent IS NOT DISTINCT FROM ? AND active = ? AND sort_key = ?
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

  static Committed write(KeptStatements statements, Tenure tenure, Commit commit)
      throws SQLException {
    Committed numbers = RealmStatements.fence(statements, tenure, commit.events().size());
    String realm = tenure.realm();
    long last = numbers.lastSeq();
    batch(
        statements, DELETE_ENTITY, commit.deletes(), (binder, key) -> binder.text(realm).key(key));
    List<EntityRow> puts = inOrder(commit.puts(), EntityRow::active);
    List<EntityRow> moving =
        statements.dialect().writesEveryNamedIndex() ? change(statements, realm, last, puts) : puts;
    batch(
        statements,
        PUT_ENTITY,
        moving,
        (binder, row) -> bind(binder.text(realm), row).number(last));
    batch(
        statements,
        PUT_ACTION,
        inOrder(commit.actions(), row -> !row.state().finished()),
        (binder, row) -> bind(binder.text(realm), row).number(last));
    batch(
        statements,
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
    addEvents(statements, realm, numbers.firstSeq(), commit.events());
    return numbers;
  }

  /** Writes the rows that stay where they are in every index, and returns the others. */
  private static List<EntityRow> change(
      KeptStatements statements, String realm, long last, List<EntityRow> rows)
      throws SQLException {
    int[] changed =
        batch(
            statements,
            CHANGE_ENTITY,
            rows,
            (binder, row) ->
                binder
                    .text(row.state())
                    .time(row.due())
                    .body(row.body())
                    .number(last)
                    .text(realm)
                    .key(row.key())
                    .text(row.project())
                    .text(row.name())
                    .text(row.parent())
                    .flag(row.active())
                    .number(row.sortKey()));
    List<EntityRow> others = new ArrayList<>();
    for (int i = 0; i < changed.length; i++) {
      if (changed[i] == 0) {
        others.add(rows.get(i));
      }
    }
    return others;
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
      KeptStatements statements, String realm, long firstSeq, List<EventRow> events)
      throws SQLException {
    long[] seq = {firstSeq};
    batch(
        statements,
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

  /** Returns how many rows each one changed. */
  private static <T> int[] batch(
      KeptStatements statements, String sql, Collection<T> rows, RowBinding<T> binding)
      throws SQLException {
    if (rows.isEmpty()) {
      return new int[0];
    }
    PreparedStatement statement = statements.of(sql);
    Binder binder = new Binder(statement);
    for (T row : rows) {
      binding.bind(binder, row).endRow();
    }
    return statement.executeBatch();
  }
}
