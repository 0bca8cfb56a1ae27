package dev.berth.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every question is answered by an index, without sorting or reading a whole table. */
class QueryPlanTest {
  @TempDir Path folder;

  @Test
  void questionsUseTheirIndex() throws SQLException {
    EntityQuery all = EntityQuery.all("run", 10);
    EventQuery events = EventQuery.after(0, 10);
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
      assertPlan(
          EntityStatements.listing(all.active().inProject("p").named("x"), continued), "entity_");
    }
    assertPlan(JournalStatements.eventsOf(events), "sqlite_autoindex_event");
    assertPlan(JournalStatements.eventsOf(events.about(Samples.run("a"))), "event_of_entity");
    assertPlan(JournalStatements.eventsOf(events.inProject("p")), "event_of_project");
    assertPlan(JournalStatements.ACTION_BY_ID, "sqlite_autoindex_action");
    assertPlan(JournalStatements.UNFINISHED, "action_unfinished");
    assertPlan(JournalStatements.REPLY, "sqlite_autoindex_reply");
    assertPlan(TrimStatements.OLDEST_EVENTS, "sqlite_autoindex_event");
    assertPlan(TrimStatements.deleteActions(Dialect.SQLITE), "action_finished");
    assertPlan(TrimStatements.deleteReplies(Dialect.SQLITE), "reply_age");
  }

  private void assertPlan(String sql, String index) throws SQLException {
    Path database = folder.resolve("berth.db");
    SqliteLedger.open(database).close();
    List<String> plan = new ArrayList<>();
    try (Connection connection = new SqliteFile(database).openReader();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("EXPLAIN QUERY PLAN " + sql)) {
      while (rows.next()) {
        plan.add(rows.getString("detail"));
      }
    }
    assertThat(String.join("\n", plan))
        .as(sql)
        .contains(index)
        .doesNotContain("SCAN")
        .doesNotContain("TEMP B-TREE");
  }
}
