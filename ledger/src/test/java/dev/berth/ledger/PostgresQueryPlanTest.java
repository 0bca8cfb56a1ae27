package dev.berth.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * On tables with a history, every question is answered by an index, without sorting and without
 * reading a whole table, even by the plan that PostgreSQL keeps for a statement of any values.
 */
class PostgresQueryPlanTest {
  private static Connection connection;

  @BeforeAll
  static void fill() throws SQLException {
    PostgresAddress address = PostgresServer.newDatabase();
    PostgresLedger.open(address).close();
    PostgresServer.run(
        address,
        "INSERT INTO realm (id, epoch, seq, trimmed_seq, owner) VALUES ('default', 1, 0, 0, 'me')",
        """
        INSERT INTO entity SELECT 'default', (ARRAY['run', 'job'])[1 + n % 2], 'e' || n,
          'p' || n % 10, 'n' || n % 1000, 'e' || n / 10, 'done', n > 39900, NULL, n, 1,
          repeat('x', 300), n FROM generate_series(1, 40000) AS n
        """,
        """
        INSERT INTO event SELECT 'default', n, n, 'changed', 'run', 'e' || n % 5000, 'p' || n % 10,
          'me', 1, repeat('x', 100) FROM generate_series(1, 40000) AS n
        """,
        """
        INSERT INTO action SELECT 'default', 'a' || n, 'create', 'run', 'e' || n, NULL,
          CASE WHEN n > 39900 THEN 'pending' ELSE 'done' END, NULL, n, 1,
          CASE WHEN n > 39900 THEN NULL ELSE n END, 1, '{}', n FROM generate_series(1, 40000) AS n
        """,
        """
        INSERT INTO reply SELECT 'default', 's' || n % 10, 'k' || n, 'h', '{}', n, n
          FROM generate_series(1, 40000) AS n
        """,
        "ANALYZE");
    // Otherwise the driver would want values for the parameters.
    connection = address.dataSource(Map.of("preferQueryMode", "simple")).getConnection();
  }

  @AfterAll
  static void close() throws SQLException {
    connection.close();
  }

  @Test
  void questionsUseTheirIndex() throws SQLException {
    EntityQuery all = EntityQuery.all("run", 10);
    EventQuery events = EventQuery.after(0, 10);
    assertPlan(EntityStatements.BY_KEY, "entity_pkey");
    assertPlan(EntityStatements.ACTIVE, "entity_active");
    assertPlan(EntityStatements.ACTIVE_BY_NAME, "entity_active_name");
    assertPlan(EntityStatements.LATEST_BY_NAME, "entity_named");
    for (boolean continued : List.of(false, true)) {
      assertPlan(EntityStatements.listing(all, continued), "entity_newest");
      assertPlan(EntityStatements.listing(all.active(), continued), "entity_active");
      assertPlan(EntityStatements.listing(all.inProject("p"), continued), "entity_of_project");
      assertPlan(EntityStatements.listing(all.ofParent("p"), continued), "entity_of_parent");
      assertPlan(
          EntityStatements.listing(all.ofParent("p").active(), continued), "entity_of_parent");
      assertPlan(
          EntityStatements.listing(all.ofParent("p").inProject("p"), continued), "entity_of_");
      // A few active rows may be sorted.
      assertThat(plan(EntityStatements.listing(all.active().inProject("p").named("x"), continued)))
          .contains("entity_active")
          .doesNotContain("Seq Scan");
    }
    assertPlan(JournalStatements.eventsOf(events), "event_pkey");
    assertPlan(JournalStatements.eventsOf(events.about(Samples.run("a"))), "event_of_entity");
    assertPlan(JournalStatements.eventsOf(events.inProject("p")), "event_of_project");
    assertPlan(JournalStatements.ACTION_BY_ID, "action_pkey");
    assertPlan(JournalStatements.UNFINISHED, "action_unfinished");
    assertPlan(JournalStatements.REPLY, "reply_pkey");
    assertPlan(TrimStatements.OLDEST_EVENTS, "event_pkey");
    assertPlan(TrimStatements.deleteActions(Dialect.POSTGRESQL), "action_finished");
    assertPlan(TrimStatements.deleteReplies(Dialect.POSTGRESQL), "reply_age");
  }

  private static void assertPlan(String sql, String index) throws SQLException {
    assertThat(plan(sql))
        .as(sql)
        .contains(index)
        .doesNotContain("Seq Scan")
        .doesNotContain("Sort Key");
  }

  private static String plan(String sql) throws SQLException {
    List<String> plan = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("EXPLAIN (GENERIC_PLAN) " + numbered(sql))) {
      while (rows.next()) {
        plan.add(rows.getString(1));
      }
    }
    return String.join("\n", plan);
  }

  /** Parameters as the server writes them. */
  private static String numbered(String sql) {
    StringBuilder text = new StringBuilder();
    int number = 0;
    for (char letter : sql.toCharArray()) {
      text.append(letter == '?' ? "$" + ++number : String.valueOf(letter));
    }
    return text.toString();
  }
}
