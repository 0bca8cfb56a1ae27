package dev.berth.ledger;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The inbox of servers that share a PostgreSQL database. Putting in and answering is heard. */
final class PostgresInbox implements Inbox {
  /** How often those who wait look by themselves, because a signal can be missed. */
  private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

  static final String UNANSWERED =
      """
      SELECT id FROM inbox
        WHERE realm = ? AND answer IS NULL AND asked_at >= {now} - ?
        ORDER BY asked_at, id LIMIT ?
      """;

  private final SqlLedger ledger;
  private final InboxSignals signals;

  PostgresInbox(SqlLedger ledger, InboxSignals signals) {
    this.ledger = ledger;
    this.signals = signals;
  }

  @Override
  public void ask(String realm, String id, String request) {
    ledger.writeUnfenced(
        statements -> {
          PreparedStatement statement =
              statements.of(
                  """
                  WITH put AS (
                    INSERT INTO inbox (realm, id, asked_at, request) VALUES (?, ?, {now}, ?)
                      RETURNING realm)
                  SELECT pg_notify('berth_inbox', 'asked ' || current_schema()) FROM put
                  """);
          new Binder(statement).text(realm).text(id).text(request);
          return executed(statement);
        });
  }

  @Override
  public Optional<String> awaitAnswer(String realm, String id, Duration timeout) {
    ledger.listen();
    signals.expect(id);
    try {
      long end = System.nanoTime() + timeout.toNanos();
      while (true) {
        Optional<String> answer = findAnswer(realm, id);
        Duration left = Duration.ofNanos(end - System.nanoTime());
        if (answer.isPresent() || !left.isPositive() || Thread.currentThread().isInterrupted()) {
          return answer;
        }
        signals.awaitAnswered(id, left.compareTo(LOOK_EVERY) < 0 ? left : LOOK_EVERY);
      }
    } finally {
      signals.expectNoMore(id);
    }
  }

  private Optional<String> findAnswer(String realm, String id) {
    return findText("SELECT answer FROM inbox WHERE realm = ? AND id = ?", realm, id);
  }

  @Override
  public Optional<String> findRequest(String realm, String id) {
    return findText("SELECT request FROM inbox WHERE realm = ? AND id = ?", realm, id);
  }

  private Optional<String> findText(String question, String realm, String id) {
    return ledger.readOnce(
        statements -> {
          PreparedStatement statement = statements.of(question);
          new Binder(statement).text(realm).text(id);
          try (var result = statement.executeQuery()) {
            RowReader row = new RowReader(result);
            return row.next() ? Optional.ofNullable(row.textOrNull()) : Optional.empty();
          }
        });
  }

  @Override
  public void forget(String realm, String id) {
    ledger.writeUnfenced(
        statements -> {
          PreparedStatement statement =
              statements.of("DELETE FROM inbox WHERE realm = ? AND id = ?");
          new Binder(statement).text(realm).text(id);
          return statement.executeUpdate();
        });
  }

  @Override
  public List<String> unanswered(String realm, Duration oldest, int atMost) {
    return ledger.readOnce(
        statements -> {
          PreparedStatement statement = statements.of(UNANSWERED);
          new Binder(statement).text(realm).number(oldest.toMillis()).number(atMost);
          List<String> found = new ArrayList<>();
          try (var result = statement.executeQuery()) {
            RowReader row = new RowReader(result);
            while (row.next()) {
              found.add(row.text());
            }
          }
          return found;
        });
  }

  @Override
  public void awaitAsked(Duration timeout) {
    ledger.listen();
    signals.awaitAsked(timeout);
  }

  @Override
  public void answer(Tenure tenure, String id, String answer) {
    ledger.write(
        tenure,
        statements -> {
          RealmStatements.fence(statements, tenure, 0);
          PreparedStatement statement =
              statements.of(
                  """
                  WITH put AS (
                    UPDATE inbox SET answer = ? WHERE realm = ? AND id = ? AND answer IS NULL
                      RETURNING id)
                  SELECT pg_notify('berth_inbox', 'answered ' || current_schema() || ' ' || id)
                    FROM put
                  """);
          new Binder(statement).text(answer).text(tenure.realm()).text(id);
          return executed(statement);
        });
  }

  @Override
  public int clear(Tenure tenure, Duration olderThan) {
    return ledger.write(
        tenure,
        statements -> {
          RealmStatements.fence(statements, tenure, 0);
          PreparedStatement statement =
              statements.of("DELETE FROM inbox WHERE realm = ? AND asked_at < {now} - ?");
          new Binder(statement).text(tenure.realm()).number(olderThan.toMillis());
          return statement.executeUpdate();
        });
  }

  /** Notifying is a question, whose answer says nothing. */
  private static boolean executed(PreparedStatement statement) throws SQLException {
    try (var result = statement.executeQuery()) {
      return result.next();
    }
  }
}
