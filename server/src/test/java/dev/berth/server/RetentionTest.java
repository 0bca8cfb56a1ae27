package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.ledger.ActionRow;
import dev.berth.ledger.ActionState;
import dev.berth.ledger.Body;
import dev.berth.ledger.Commit;
import dev.berth.ledger.EntityKey;
import dev.berth.ledger.EventPage;
import dev.berth.ledger.EventQuery;
import dev.berth.ledger.EventRow;
import dev.berth.ledger.IdempotencyKey;
import dev.berth.ledger.Ledger;
import dev.berth.ledger.ReplyLookup;
import dev.berth.ledger.ReplyRow;
import dev.berth.ledger.Tenure;
import dev.berth.ledger.Trimmable;
import dev.berth.model.api.EventList;
import dev.berth.model.config.ServerConfiguration.Retention;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is old goes, in pieces, on both databases; whoever would miss it is told. */
@Timeout(120)
class RetentionTest {
  private static final Instant NOON = Instant.parse("2026-11-01T12:00:00Z");
  private static final Retention RETENTION =
      new Retention(Duration.ofDays(90), Duration.ofDays(7), Duration.ofDays(30));
  private static final Body NOTHING = new Body(1, "{}");

  @TempDir Path home = Path.of("");

  private @Nullable EmbeddedPostgres postgres;

  @AfterEach
  void stop() throws IOException {
    if (postgres != null) {
      postgres.close();
    }
  }

  /** Where a server finds the storage that is named. */
  private Map<String, String> environment(String storage) throws IOException {
    Files.writeString(
        home.resolve("server.yml"), "blobs: {folder: " + home.resolve("blobs") + "}\n");
    if (storage.equals("sqlite")) {
      return Map.of();
    }
    EmbeddedPostgres started = TestPostgres.start();
    postgres = started;
    return TestPostgres.environment(started);
  }

  private Ledger open(Map<String, String> environment) throws IOException {
    return Storage.open(null, environment, Files.createDirectories(home.resolve("server")));
  }

  private static EntityKey run(long number) {
    return new EntityKey("run", "r" + number);
  }

  private static ReplyRow reply(String key, Instant at) {
    return new ReplyRow(new IdempotencyKey("main/ann", key), "hash", "{}", at);
  }

  private static ActionRow action(String id, @Nullable Instant finishedAt) {
    return new ActionRow(
        id,
        "create",
        run(1),
        null,
        finishedAt == null ? ActionState.PENDING : ActionState.DONE,
        finishedAt == null ? NOON : null,
        NOON,
        1,
        finishedAt,
        NOTHING);
  }

  @ParameterizedTest
  @ValueSource(strings = {"sqlite", "postgresql"})
  void whatIsOldGoesInPiecesAndTheRestStays(String storage) throws Exception {
    try (Ledger ledger = open(environment(storage))) {
      Tenure tenure = ledger.takeOver(Ledger.MAIN_REALM, "test");
      int old = 2 * RetentionSweep.PIECE + 7;
      Commit.Builder commit = Commit.builder();
      for (int i = 0; i < old + 3; i++) {
        Instant at = NOON.minus(Duration.ofDays(i < old ? 91 : 89));
        commit.event(new EventRow(at, "run.ended", run(i), "main", "server", NOTHING));
      }
      commit
          .reply(reply("old", NOON.minus(Duration.ofDays(8))))
          .reply(reply("new", NOON.minus(Duration.ofDays(6))))
          .action(action("old", NOON.minus(Duration.ofDays(31))))
          .action(action("new", NOON.minus(Duration.ofDays(29))))
          .action(action("open", null));
      ledger.commit(tenure, commit.build());
      List<Integer> pieces = new ArrayList<>();
      RetentionSweep sweep =
          new RetentionSweep(
              RETENTION,
              (what, before, atMost) -> {
                int deleted = ledger.trim(tenure, what, before, atMost);
                if (what == Trimmable.EVENTS) {
                  pieces.add(deleted);
                }
                return deleted;
              },
              () -> 0,
              () -> NOON);
      assertThat(sweep.sweep()).isEqualTo(old + 2);
      assertThat(pieces).containsExactly(RetentionSweep.PIECE, RetentionSweep.PIECE, 7);
      assertThat(sweep.sweep()).isZero();
      EventPage page = ledger.events(Ledger.MAIN_REALM, EventQuery.after(0, 10));
      assertThat(page.events()).hasSize(3);
      assertThat(page.events().getFirst().seq())
          .isEqualTo(page.trimmedSeq() + 1)
          .isEqualTo(old + 1);
      assertThat(lookUp(ledger, "old")).isInstanceOf(ReplyLookup.Unseen.class);
      assertThat(lookUp(ledger, "new")).isInstanceOf(ReplyLookup.Replay.class);
      assertThat(ledger.findAction(Ledger.MAIN_REALM, "old")).isEmpty();
      assertThat(ledger.findAction(Ledger.MAIN_REALM, "new")).isPresent();
      assertThat(ledger.findAction(Ledger.MAIN_REALM, "open")).isPresent();
    }
  }

  private static ReplyLookup lookUp(Ledger ledger, String key) {
    return ledger.findReply(Ledger.MAIN_REALM, new IdempotencyKey("main/ann", key), "hash");
  }

  @ParameterizedTest
  @ValueSource(strings = {"sqlite", "postgresql"})
  void whoWouldMissEventsIsToldWhereToGoOn(String storage) throws Exception {
    Map<String, String> environment = environment(storage);
    try (RunningServer server = new RunningServer(home, environment, (_, _) -> {})) {
      new People(server).project("lab");
    }
    long newest;
    try (Ledger ledger = open(environment)) {
      Tenure tenure = ledger.takeOver(Ledger.MAIN_REALM, "test");
      newest = tenure.seq();
      Instant later = Instant.now().plus(Duration.ofDays(100));
      new RetentionSweep(
              RETENTION,
              (what, at, most) -> ledger.trim(tenure, what, at, most),
              () -> 0,
              () -> later)
          .sweep();
      ledger.release(tenure);
    }
    try (RunningServer server = new RunningServer(home, environment, (_, _) -> {})) {
      HttpResponse<String> gone = server.request("GET", "/api/v1/events?after=1", null, true);
      assertThat(gone.statusCode()).as(gone.body()).isEqualTo(410);
      assertThat(gone.body())
          .contains(
              "the events up to " + newest + " have been deleted", "continue with after=" + newest);
      // Who begins anew, and who is up to date, reads on without a gap.
      new People(server).project("den");
      List<Long> anew = numbers(server.client().allEvents(0, 1000, 0));
      assertThat(anew.getFirst()).isEqualTo(newest + 1);
      assertThat(numbers(server.client().allEvents(newest, 1000, 0))).isEqualTo(anew);
    }
  }

  private static List<Long> numbers(EventList page) {
    return page.events().stream().map(event -> event.seq()).toList();
  }
}
