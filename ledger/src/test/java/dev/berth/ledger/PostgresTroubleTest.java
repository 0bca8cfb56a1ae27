package dev.berth.ledger;

import static dev.berth.ledger.Samples.REALM;
import static dev.berth.ledger.Samples.active;
import static dev.berth.ledger.Samples.event;
import static dev.berth.ledger.Samples.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.ledger.LedgerException.Code;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A network and a server that fail: what is certain is said for certain, and life goes on. */
@Timeout(120)
class PostgresTroubleTest {
  private static final Commit COMMIT =
      Commit.builder().put(active("a", "a", 1)).event(event("a")).build();
  private static final int MOST_TRIES = 15;

  /** For tests that wait until a limit is reached. A busy machine may reach others of them, too. */
  private static final PostgresLimits SHORT =
      new PostgresLimits(
          Duration.ofSeconds(2),
          Duration.ofSeconds(1),
          Duration.ofSeconds(2),
          Duration.ofSeconds(1),
          2);

  /** For all others: no machine is so busy that it reaches one. */
  private static final PostgresLimits LONG =
      new PostgresLimits(
          Duration.ofSeconds(60),
          Duration.ofSeconds(60),
          Duration.ofSeconds(90),
          Duration.ofSeconds(60),
          2);

  /** What happens right before the COMMIT of a transaction; nothing by default. */
  private interface BeforeCommit {
    void happen();
  }

  private static PostgresAddress direct;
  private CuttingProxy proxy;
  private PostgresAddress address;
  private volatile BeforeCommit beforeCommit = () -> {};
  private Ledger ledger;
  private Tenure tenure;

  @BeforeAll
  static void makeDatabase() {
    direct = PostgresServer.newDatabase();
  }

  @BeforeEach
  void open() throws Exception {
    proxy = new CuttingProxy(direct.hosts().getFirst().port());
    address = PostgresServer.address(proxy.port(), direct.database());
    ledger = PostgresLedger.open(address, LONG, transactions());
    PostgresServer.empty(direct);
    tenure = ledger.takeOver(REALM, "me");
  }

  @AfterEach
  void close() throws Exception {
    proxy.set(CuttingProxy.Mode.PASS);
    ledger.close();
    proxy.close();
  }

  /** Goes on under the same tenure, with other limits. */
  private void reopen(PostgresLimits limits) {
    ledger.close();
    ledger = PostgresLedger.open(address, limits, transactions());
  }

  private TransactionControl transactions() {
    TransactionControl real = TransactionControl.jdbc();
    return new TransactionControl() {
      @Override
      public void begin(Connection connection) throws SQLException {
        real.begin(connection);
      }

      @Override
      public void commit(Connection connection) throws SQLException {
        beforeCommit.happen();
        real.commit(connection);
      }

      @Override
      public void rollback(Connection connection) throws SQLException {
        real.rollback(connection);
      }
    };
  }

  @Test
  void commitWhoseAnswerWasLostIsUnclearAndFoundAfterTakingOver() {
    beforeCommit = () -> proxy.set(CuttingProxy.Mode.LOSE_ANSWERS);
    assertUnclear();
    assertThat(takeOverOnceReached()).isEqualTo(new Tenure(REALM, "me", 2, 1));
    assertThat(ledger.find(REALM, run("a"))).isPresent();
  }

  @Test
  void commitThatNeverArrivedIsUnclearAndNotFoundAfterTakingOver() {
    beforeCommit = () -> proxy.set(CuttingProxy.Mode.LOSE_REQUESTS);
    assertUnclear();
    Tenure next = takeOverOnceReached();
    assertThat(next).isEqualTo(new Tenure(REALM, "me", 2, 0));
    assertThat(ledger.find(REALM, run("a"))).isEmpty();
    assertThat(ledger.commit(next, COMMIT)).isEqualTo(new Committed(1, 1));
  }

  @Test
  void silentServerIsGivenUpAndTheCommitIsUnclear() {
    reopen(SHORT);
    beforeCommit = () -> proxy.set(CuttingProxy.Mode.SWALLOW);
    assertUnclear();
    assertThat(takeOverOnceReached().epoch()).isEqualTo(2);
  }

  @Test
  void answerThatIsUnclearIsToldAndTheTenureIsResumed() {
    List<String> told = new CopyOnWriteArrayList<>();
    ledger.whenUnclear(told::add);
    Inbox inbox = ledger.inbox().orElseThrow();
    inbox.ask(REALM, "q", "a question");
    beforeCommit = () -> proxy.set(CuttingProxy.Mode.LOSE_ANSWERS);
    assertThatThrownBy(() -> inbox.answer(tenure, "q", "an answer"))
        .isInstanceOf(CommitUnknownException.class);
    beforeCommit = () -> {};
    proxy.set(CuttingProxy.Mode.PASS);
    assertThat(told).containsExactly(REALM);
    assertThatExceptionOfType(FencedException.class)
        .isThrownBy(() -> ledger.renew(tenure))
        .satisfies(e -> assertThat(e.isTakenOver()).isFalse());
    assertThat(ledger.commit(onceReached(() -> ledger.resume(tenure)), COMMIT))
        .isEqualTo(new Committed(1, 1));
  }

  @Test
  void resumptionThatWasStoredAndNotKnownToBeIsRepeated() {
    beforeCommit = () -> proxy.set(CuttingProxy.Mode.LOSE_ANSWERS);
    assertThatThrownBy(() -> ledger.resume(tenure)).isInstanceOf(CommitUnknownException.class);
    beforeCommit = () -> {};
    proxy.set(CuttingProxy.Mode.PASS);
    assertThat(onceReached(() -> ledger.resume(tenure))).isEqualTo(new Tenure(REALM, "me", 3, 0));
  }

  private Tenure takeOverOnceReached() {
    return onceReached(() -> ledger.takeOver(REALM, "me"));
  }

  /** A busy machine may not connect within a short limit at the first try. */
  private static <T> T onceReached(Supplier<T> work) {
    for (int attempt = 1; ; attempt++) {
      try {
        return work.get();
      } catch (LedgerException e) {
        if (e.code() != Code.UNREACHABLE || attempt == MOST_TRIES) {
          throw e;
        }
      }
    }
  }

  @Test
  void brokenConnectionBeforeTheCommitIsCertainAndTheTenureGoesOn() {
    reopen(SHORT);
    proxy.set(CuttingProxy.Mode.LOSE_REQUESTS);
    assertFails(Code.UNREACHABLE, () -> ledger.commit(tenure, COMMIT));
    assertFails(Code.UNREACHABLE, () -> ledger.findRealm(REALM));
    assertFails(Code.UNREACHABLE, () -> ledger.renew(tenure));
    proxy.set(CuttingProxy.Mode.PASS);
    assertThat(onceReached(() -> ledger.find(REALM, run("a")))).isEmpty();
    onceReached(
        () -> {
          ledger.renew(tenure);
          return tenure;
        });
    assertThat(onceReached(() -> ledger.commit(tenure, COMMIT))).isEqualTo(new Committed(1, 1));
  }

  @Test
  void connectionThatTheServerEndedIsReplaced() {
    ledger.findRealm(REALM);
    endSessions();
    // One of them may be the first to notice; whoever comes after it finds a new connection.
    try {
      ledger.commit(tenure, COMMIT);
    } catch (LedgerException e) {
      assertThat(e.code()).isEqualTo(Code.UNREACHABLE);
      ledger.commit(tenure, COMMIT);
    }
    assertThat(ledger.find(REALM, run("a"))).contains(new Stored<>(1, active("a", "a", 1)));
  }

  /** A pool would otherwise keep what it did not learn, and no connection after it would do. */
  @Test
  void firstConnectionThatBreaksWhileItIsSetUpHarmsNoneAfterIt() throws SQLException {
    proxy.cutAt("TRANSACTION ISOLATION LEVEL");
    try (PostgresConnections fresh = new PostgresConnections(new PostgresDatabase(address), LONG);
        Connection writer = fresh.writer();
        Connection reader = fresh.reader()) {
      assertThat(writer.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_READ_COMMITTED);
      assertThat(reader.getTransactionIsolation())
          .isEqualTo(Connection.TRANSACTION_REPEATABLE_READ);
    }
    assertThat(proxy.isCutAwaited()).isFalse();
  }

  @Test
  void rowThatSomeoneKeepsLockedIsWaitedForWithinTheLimit() throws SQLException {
    reopen(SHORT);
    try (Connection other = direct.dataSource(Map.of()).getConnection();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("SELECT id FROM realm FOR UPDATE");
      assertFails(Code.BUSY, () -> onceReached(() -> ledger.commit(tenure, COMMIT)));
      other.rollback();
    }
    reopen(LONG);
    assertThat(ledger.commit(tenure, COMMIT)).isEqualTo(new Committed(1, 1));
  }

  @Test
  void databaseThatOnlyReadsSaysSoAndRecovers() {
    String change = "ALTER DATABASE " + direct.database() + " SET default_transaction_read_only = ";
    PostgresServer.run(PostgresServer.address("postgres"), change + "on");
    try {
      endSessions();
      assertThatThrownBy(() -> commitThroughANewConnection())
          .isInstanceOfSatisfying(
              LedgerException.class,
              e -> {
                assertThat(e.code()).isEqualTo(Code.READ_ONLY);
                assertThat(e.code().retryable()).isTrue();
              });
      assertThat(ledger.findRealm(REALM)).isPresent();
    } finally {
      PostgresServer.run(PostgresServer.address("postgres"), change + "off");
    }
    // The pool may have made a connection while the database only read; each is used once.
    Committed committed = null;
    while (committed == null) {
      try {
        committed = ledger.commit(tenure, COMMIT);
      } catch (LedgerException e) {
        assertThat(e.code()).isEqualTo(Code.READ_ONLY);
      }
    }
    assertThat(committed).isEqualTo(new Committed(1, 1));
  }

  @Test
  void serverThatIsStoppedInsideOfATransactionLosesItToTheNextOne() {
    reopen(SHORT);
    CountDownLatch stopped = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    beforeCommit =
        () -> {
          stopped.countDown();
          await(goOn);
        };
    try (var threads = Executors.newVirtualThreadPerTaskExecutor();
        Ledger standby = PostgresLedger.open(direct)) {
      var commit =
          CompletableFuture.supplyAsync(
              () -> onceReached(() -> ledger.commit(tenure, COMMIT)), threads);
      await(stopped);
      Tenure next;
      try {
        // Waits for the row, which the server takes from the stopped one after its idle limit.
        next = standby.takeOver(REALM, "standby");
      } finally {
        goOn.countDown();
      }
      assertThat(next).isEqualTo(new Tenure(REALM, "standby", 2, 0));
      assertThatThrownBy(commit::join)
          .isInstanceOf(CompletionException.class)
          .hasCauseInstanceOf(CommitUnknownException.class);
      beforeCommit = () -> {};
      assertThat(standby.find(REALM, run("a"))).isEmpty();
      assertThat(standby.commit(next, COMMIT)).isEqualTo(new Committed(1, 1));
    }
  }

  @Test
  void unclearTenureStaysRefusedWhereNobodyTookOver() {
    beforeCommit = () -> proxy.set(CuttingProxy.Mode.LOSE_REQUESTS);
    assertUnclear();
    assertThat(ledger.takeOverIfSilent(REALM, "me", 1, Duration.ofHours(1))).isEmpty();
    assertThatThrownBy(() -> ledger.commit(tenure, COMMIT)).isInstanceOf(FencedException.class);
  }

  @Test
  void brokenRuleDoesNotQuoteTheRow() {
    ledger.commit(tenure, Samples.put(active("a", "c4nary", 1)));
    assertThatThrownBy(() -> ledger.commit(tenure, Samples.put(active("b", "c4nary", 2))))
        .isInstanceOf(ConstraintException.class)
        .satisfies(
            e -> {
              StringWriter text = new StringWriter();
              e.printStackTrace(new PrintWriter(text));
              assertThat(text.toString()).contains("entity_active_name").doesNotContain("c4nary");
            });
  }

  @Test
  void interruptedCallerStillLearnsTheOutcome() {
    Thread.currentThread().interrupt();
    assertThat(ledger.commit(tenure, COMMIT)).isEqualTo(new Committed(1, 1));
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void acknowledgedIsStoredWhateverTheDatabaseWasTold() throws SQLException {
    // The server of the tests is set to acknowledge early, to be quick.
    String[] found = {"", ""};
    try (PostgresConnections connections =
        new PostgresConnections(new PostgresDatabase(direct), LONG)) {
      found[0] = show(direct.dataSource(Map.of()).getConnection());
      found[1] = show(connections.writer());
    }
    assertThat(found).containsExactly("off", "on");
  }

  @Test
  void transactionThatIsNeverIdleAndNeverEndsIsEndedByTheServer() {
    // A transaction lasts as long as an answer; nothing else comes to its end here.
    PostgresLimits shortTransactions =
        new PostgresLimits(
            LONG.connect(),
            Duration.ofSeconds(4),
            Duration.ofSeconds(5),
            LONG.idleInTransaction(),
            1);
    try (PostgresConnections connections =
        new PostgresConnections(new PostgresDatabase(direct), shortTransactions)) {
      assertThatExceptionOfType(SQLException.class)
          .isThrownBy(() -> workWithoutEnd(connections))
          .satisfies(
              e -> {
                assertThat(e.getSQLState()).isEqualTo("25P04");
                assertThat(connections.errors().of(e).code()).isEqualTo(Code.UNREACHABLE);
              });
    }
  }

  @SuppressWarnings("InfiniteLoopStatement") // the server ends it
  private static void workWithoutEnd(PostgresConnections connections) throws SQLException {
    try (Connection connection = connections.writer();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      while (true) {
        statement.execute("SELECT pg_sleep(0.1)");
      }
    }
  }

  private static String show(Connection opened) throws SQLException {
    try (Connection connection = opened;
        Statement statement = connection.createStatement();
        var rows = statement.executeQuery("SHOW synchronous_commit")) {
      assertThat(rows.next()).isTrue();
      return Objects.requireNonNull(rows.getString(1));
    }
  }

  /** The first one finds out that the connections are gone. */
  private void commitThroughANewConnection() {
    try {
      ledger.commit(tenure, COMMIT);
    } catch (LedgerException e) {
      if (e.code() != Code.UNREACHABLE) {
        throw e;
      }
      ledger.commit(tenure, COMMIT);
    }
  }

  private void assertUnclear() {
    assertThatExceptionOfType(CommitUnknownException.class)
        .isThrownBy(() -> onceReached(() -> ledger.commit(tenure, COMMIT)));
    beforeCommit = () -> {};
    proxy.set(CuttingProxy.Mode.PASS);
    assertThatThrownBy(() -> ledger.commit(tenure, COMMIT))
        .isInstanceOf(FencedException.class)
        .hasMessageContaining("not known");
    assertThatThrownBy(() -> ledger.renew(tenure)).isInstanceOf(FencedException.class);
  }

  private static void assertFails(Code code, Runnable call) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(
            LedgerException.class,
            e -> {
              assertThat(e.code()).isEqualTo(code);
              assertThat(e.code().retryable()).isTrue();
            });
  }

  private static void endSessions() {
    PostgresServer.run(
        PostgresServer.address("postgres"),
        "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '"
            + direct.database()
            + "'");
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
