package dev.berth.ledger;

import static dev.berth.ledger.Samples.REALM;
import static dev.berth.ledger.Samples.active;
import static dev.berth.ledger.Samples.put;
import static dev.berth.ledger.Samples.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.ledger.LedgerException.Code;
import dev.berth.model.Secret;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Opening a database: who may, who makes its tables, and what is wrong with it. */
class PostgresOpeningTest {
  private PostgresAddress address;

  @BeforeEach
  void makeDatabase() {
    address = PostgresServer.newDatabase();
  }

  @Test
  void contentSurvivesReopening() {
    try (Ledger ledger = PostgresLedger.open(address)) {
      ledger.commit(ledger.takeOver(REALM, "me"), put(active("a", "a", 1)));
    }
    try (Ledger ledger = PostgresLedger.open(address)) {
      assertThat(ledger.find(REALM, run("a"))).contains(new Stored<>(0, active("a", "a", 1)));
      assertThat(ledger.takeOver(REALM, "me").epoch()).isEqualTo(2);
    }
  }

  @Test
  void serversThatStartTogetherMigrateOnce() throws Exception {
    int servers = 6;
    CyclicBarrier start = new CyclicBarrier(servers);
    List<Future<?>> opened = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < servers; i++) {
        opened.add(
            threads.submit(
                () -> {
                  start.await();
                  PostgresLedger.open(address).close();
                  return true;
                }));
      }
      for (Future<?> each : opened) {
        assertThat(each.get()).isEqualTo(true);
      }
    }
    assertThat(
            answer("SELECT string_agg(version, ' ' ORDER BY installed_rank) FROM schema_history"))
        .isEqualTo("1 1.1 1.2 2 3");
  }

  @Test
  void twoServersShareOneDatabase() {
    try (Ledger first = PostgresLedger.open(address);
        Ledger second = PostgresLedger.open(address)) {
      Tenure old = first.takeOver(REALM, "first");
      first.commit(old, put(active("a", "a", 1)));
      Tenure current = second.takeOver(REALM, "second");
      assertThatThrownBy(() -> first.commit(old, put(active("b", "b", 2))))
          .isInstanceOf(FencedException.class);
      second.commit(current, put(active("c", "c", 3)));
      assertThat(Samples.readActive(first, REALM)).hasSize(2);
    }
  }

  @Test
  void newerSchemaIsRefused() {
    PostgresLedger.open(address).close();
    PostgresServer.run(
        address,
        "UPDATE schema_history SET version = '999' WHERE version = '" + Schema.CURRENT + "'",
        "UPDATE understood_by SET reader = 999, writer = 999");
    assertFails(Code.SCHEMA_NEWER, "schema 999", address);
  }

  @Test
  void newerSchemaThatOlderServersUnderstandIsUsedByBoth() {
    try (Ledger old = PostgresLedger.open(address)) {
      Tenure before = old.takeOver(REALM, "old");
      upgrade("ALTER TABLE entity ADD COLUMN colour TEXT");
      old.commit(before, put(active("a", "a", 1)));
      try (Ledger other = PostgresLedger.open(address)) {
        Tenure after = other.takeOver(REALM, "other");
        other.commit(after, put(active("b", "b", 2)));
        assertThat(Samples.readActive(old, REALM)).hasSize(2);
      }
      old.commit(old.takeOver(REALM, "old"), put(active("c", "c", 3)));
    }
  }

  @Test
  void serverThatMayOnlyReadANewerSchemaDoesNotTakeOver() {
    try (Ledger old = PostgresLedger.open(address)) {
      Tenure before = old.takeOver(REALM, "old");
      old.commit(before, put(active("a", "a", 1)));
      // As a migration does that shuts out those who would write the old way.
      upgrade("UPDATE understood_by SET writer = 999", "UPDATE realm SET epoch = epoch + 1");
      assertThatThrownBy(() -> old.commit(before, put(active("b", "b", 2))))
          .isInstanceOf(FencedException.class);
      assertThat(Samples.readActive(old, REALM)).hasSize(1);
      assertThatThrownBy(() -> old.takeOver(REALM, "old"))
          .isInstanceOfSatisfying(
              LedgerException.class, e -> assertThat(e.code()).isEqualTo(Code.SCHEMA_NEWER));
    }
    try (Ledger reopened = PostgresLedger.open(address)) {
      assertThat(Samples.readActive(reopened, REALM)).hasSize(1);
      assertThatThrownBy(() -> reopened.takeOverIfSilent(REALM, "old", 2, Duration.ZERO))
          .hasMessageContaining("schema 999");
    }
  }

  private void upgrade(String... statements) {
    PostgresServer.run(address, statements);
    PostgresServer.run(
        address,
        """
        INSERT INTO schema_history
          (installed_rank, version, description, type, script, installed_by, execution_time, success)
          SELECT max(installed_rank) + 1, '999', 'later', 'SQL', 'V999__later.sql', 'test', 1, true
            FROM schema_history
        """);
  }

  @Test
  void databaseOfAnotherProgramIsRefused() {
    PostgresServer.run(address, "CREATE TABLE bookmarks (id INTEGER)");
    assertFails(Code.SCHEMA_FOREIGN, "another program", address);
    assertThat(answer("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")).isEqualTo("1");
  }

  @Test
  void tablesLiveInTheSchemaOfTheAddress() {
    PostgresServer.run(address, "CREATE TABLE bookmarks (id INTEGER)", "CREATE SCHEMA berth");
    PostgresAddress own = PostgresAddress.of(address + "?currentSchema=berth");
    try (Ledger ledger = PostgresLedger.open(own)) {
      ledger.takeOver(REALM, "me");
    }
    assertThat(answer("SELECT owner FROM berth.realm")).isEqualTo("me");
    PostgresLedger.open(own).close();
  }

  @Test
  void databaseThatCannotHoldEveryCharacterIsRefused() {
    String name = address.database() + "latin";
    PostgresServer.run(
        PostgresServer.address("postgres"),
        "CREATE DATABASE " + name + " TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'");
    assertFails(Code.CANNOT_OPEN, "ENCODING 'UTF8'", PostgresServer.address(name));
  }

  @Test
  void databaseThatIsNotThereIsNamed() {
    assertFails(Code.CANNOT_OPEN, "no such database", PostgresServer.address("nowhere"));
  }

  @Test
  void serverThatIsNotThereIsNamed() throws Exception {
    // Whoever is bound and does not listen keeps others from listening there.
    try (Socket bound = new Socket()) {
      bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      assertFails(
          Code.UNREACHABLE,
          "Check that it runs",
          PostgresServer.address(bound.getLocalPort(), address.database()));
    }
  }

  @Test
  void ownerOfTheDatabaseNeedsNoOtherRight() {
    String user = "owner_of_" + address.database();
    PostgresServer.run(
        address,
        "CREATE ROLE " + user + " LOGIN",
        "ALTER DATABASE " + address.database() + " OWNER TO " + user);
    try (Ledger ledger = PostgresLedger.open(as(user))) {
      ledger.commit(ledger.takeOver(REALM, "me"), put(active("a", "a", 1)));
      assertThat(ledger.find(REALM, run("a"))).isPresent();
    }
  }

  @Test
  void userWithoutRightsIsTold() {
    String user = "stranger_to_" + address.database();
    PostgresServer.run(address, "CREATE ROLE " + user + " LOGIN");
    assertFails(Code.CANNOT_OPEN, "may not make tables in the schema 'public'", as(user));
    PostgresLedger.open(address).close();
    assertFails(Code.CANNOT_OPEN, "lacks rights", as(user));
  }

  @Test
  void schemaThatIsNotThereIsNamed() {
    PostgresAddress other = PostgresAddress.of(address + "?currentSchema=nowhere");
    assertFails(Code.CANNOT_OPEN, "CREATE SCHEMA", other);
  }

  @Test
  void userWithoutAFreeConnectionIsTold() {
    String user = "late_to_" + address.database();
    PostgresServer.run(address, "CREATE ROLE " + user + " LOGIN CONNECTION LIMIT 0");
    assertFails(Code.BUSY, "max_connections", as(user));
  }

  @Test
  void passwordIsInNoMessageAndNoLog() {
    // The threads of pools write into the log, too.
    List<String> written = Collections.synchronizedList(new ArrayList<>());
    Logger root = Logger.getLogger("");
    List<Logger> talkative =
        List.of(Logger.getLogger("org.postgresql"), Logger.getLogger("org.flywaydb"));
    Handler handler = new Remembering(written);
    root.addHandler(handler);
    handler.setLevel(Level.ALL);
    talkative.forEach(logger -> logger.setLevel(Level.ALL));
    try {
      PostgresAddress known = address.withPassword(Secret.of("c4nary"));
      try (Ledger ledger = PostgresLedger.open(known)) {
        ledger.takeOver(REALM, "me");
      }
      for (PostgresAddress wrong :
          List.of(
              PostgresServer.address("nowhere").withPassword(Secret.of("c4nary")),
              as("nobody_at_all").withPassword(Secret.of("c4nary")),
              PostgresAddress.of("postgresql://u:c4nary@localhost:1/d"),
              PostgresAddress.of("postgresql://u:c4nary@no.such.host.invalid/d"),
              PostgresAddress.of(known + "?sslmode=wrong&password=c4nary"))) {
        assertThatThrownBy(() -> PostgresLedger.open(wrong).close())
            .satisfies(e -> written.add(withCauses(e)));
      }
    } finally {
      root.removeHandler(handler);
      talkative.forEach(logger -> logger.setLevel(null));
    }
    assertThat(written).hasSizeGreaterThan(5);
    assertThat(written).noneMatch(text -> text.contains("c4nary"));
  }

  private static final class Remembering extends Handler {
    private final List<String> written;

    private Remembering(List<String> written) {
      this.written = written;
    }

    @Override
    public synchronized void publish(LogRecord line) {
      written.add(line.getMessage() + " " + Arrays.toString(line.getParameters()));
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  private static String withCauses(Throwable e) {
    StringWriter text = new StringWriter();
    e.printStackTrace(new PrintWriter(text));
    return text.toString();
  }

  private PostgresAddress as(String user) {
    return new PostgresAddress(address.hosts(), address.database(), user, null, Map.of());
  }

  private String answer(String question) {
    try (Connection connection = address.dataSource(Map.of()).getConnection();
        var statement = connection.createStatement();
        var rows = statement.executeQuery(question)) {
      assertThat(rows.next()).isTrue();
      return Objects.requireNonNull(rows.getString(1));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void assertFails(Code code, String part, PostgresAddress address) {
    assertThatThrownBy(() -> PostgresLedger.open(address).close())
        .isInstanceOfSatisfying(
            LedgerException.class,
            e -> {
              assertThat(e.code()).as(e.getMessage()).isEqualTo(code);
              assertThat(e.getMessage()).contains(part).contains(address.toString());
            });
  }
}
