package dev.berth.ledger;

import static dev.berth.ledger.Samples.REALM;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a server that stands by passes on to the active one. */
class PostgresInboxTest {
  private static final Duration LONG = Duration.ofSeconds(60);

  private PostgresAddress address;
  private Ledger active;
  private Ledger standby;
  private Tenure tenure;
  private Inbox mine;
  private Inbox theirs;

  @BeforeEach
  void openTwice() {
    address = PostgresServer.newDatabase();
    active = PostgresLedger.open(address);
    standby = PostgresLedger.open(address);
    tenure = active.takeOver(REALM, "active");
    mine = active.inbox().orElseThrow();
    theirs = standby.inbox().orElseThrow();
  }

  @AfterEach
  void close() {
    standby.close();
    active.close();
  }

  @Test
  void requestsAreAnsweredOnceAndInOrder() throws Exception {
    int requests = 50;
    List<Future<Optional<String>>> answers = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < requests; i++) {
        String id = "q" + i;
        theirs.ask(REALM, id, "request " + i);
        answers.add(threads.submit(() -> theirs.awaitAnswer(REALM, id, LONG)));
      }
      List<String> seen = new ArrayList<>();
      while (seen.size() < requests) {
        mine.awaitAsked(LONG);
        for (String id : mine.unanswered(REALM, LONG, 7)) {
          seen.add(id);
          mine.answer(tenure, id, "to " + mine.findRequest(REALM, id).orElseThrow());
          mine.answer(tenure, id, "again");
        }
        if (seen.size() < requests) {
          // The waits are woken by requests only; these were there before.
          theirs.ask(REALM, "wake" + seen.size(), "");
          theirs.forget(REALM, "wake" + seen.size());
        }
      }
      assertThat(seen).startsWith("q0", "q1", "q2").doesNotHaveDuplicates();
      for (int i = 0; i < requests; i++) {
        assertThat(answers.get(i).get()).contains("to request " + i);
      }
    }
  }

  @Test
  void oldRequestsAreNotHandedOutAndAreCleared() {
    theirs.ask(REALM, "old", "request");
    PostgresServer.run(address, "UPDATE inbox SET asked_at = asked_at - 100000");
    theirs.ask(REALM, "new", "request");
    assertThat(mine.unanswered(REALM, LONG, 10)).containsExactly("new");
    assertThat(mine.findRequest(REALM, "new")).contains("request");
    assertThat(mine.clear(tenure, LONG)).isEqualTo(1);
    theirs.forget(REALM, "new");
    assertThat(mine.findRequest(REALM, "new")).isEmpty();
    assertThat(mine.unanswered(REALM, Duration.ofDays(1), 10)).isEmpty();
  }

  @Test
  void waitEndsWithoutAnAnswer() {
    theirs.ask(REALM, "q", "request");
    assertThat(theirs.awaitAnswer(REALM, "q", Duration.ofMillis(20))).isEmpty();
    assertThat(theirs.awaitAnswer(REALM, "never asked", Duration.ofMillis(20))).isEmpty();
  }

  @Test
  void serverThatWasTakenOverDoesNotAnswer() {
    theirs.ask(REALM, "q", "request");
    Tenure taken = standby.takeOver(REALM, "standby");
    assertThatThrownBy(() -> mine.answer(tenure, "q", "stale")).isInstanceOf(FencedException.class);
    theirs.answer(taken, "q", "mine");
    assertThat(theirs.awaitAnswer(REALM, "q", LONG)).contains("mine");
  }

  @Test
  void closingEndsTheWaits() throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Optional<String>> waits = threads.submit(() -> theirs.awaitAnswer(REALM, "q", LONG));
      standby.close();
      assertThatThrownBy(waits::get).hasCauseInstanceOf(LedgerException.class);
    }
  }
}
