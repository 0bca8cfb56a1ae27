package dev.berth.ledger;

import static dev.berth.ledger.Samples.NOON;
import static dev.berth.ledger.Samples.REALM;
import static dev.berth.ledger.Samples.action;
import static dev.berth.ledger.Samples.active;
import static dev.berth.ledger.Samples.entity;
import static dev.berth.ledger.Samples.event;
import static dev.berth.ledger.Samples.finished;
import static dev.berth.ledger.Samples.ids;
import static dev.berth.ledger.Samples.put;
import static dev.berth.ledger.Samples.reply;
import static dev.berth.ledger.Samples.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What every ledger promises. */
@Timeout(60)
abstract class LedgerContract {
  private Ledger ledger;
  private Tenure tenure;

  abstract Ledger openLedger() throws Exception;

  /** Makes the database believe that the owner's last sign of life is older by so much. */
  abstract void letTimePass(String realm, Duration time) throws Exception;

  @BeforeEach
  final void open() throws Exception {
    ledger = openLedger();
    tenure = ledger.takeOver(REALM, "first");
  }

  @AfterEach
  final void close() {
    ledger.close();
  }

  @Test
  void takeOverRaisesTheEpochAndKeepsTheNumbers() {
    assertThat(tenure).isEqualTo(new Tenure(REALM, "first", 1, 0));
    ledger.commit(tenure, Commit.builder().event(event("a")).event(event("b")).build());
    Tenure second = ledger.takeOver(REALM, "second");
    assertThat(second).isEqualTo(new Tenure(REALM, "second", 2, 2));
    assertThat(Samples.standing(ledger)).containsExactly(REALM, "second", 2L, 2L, 0L);
    assertThat(ledger.findRealm("other")).isEmpty();
  }

  @Test
  void everyWriteOfTheOwnerIsASignOfLife() throws Exception {
    List<Runnable> signs =
        List.of(
            () -> ledger.renew(tenure),
            () -> ledger.commit(tenure, put(active("a", "a", 1))),
            () -> ledger.trim(tenure, Trimmable.EVENTS, NOON, 1),
            () -> ledger.takeOver(REALM, "second"));
    for (Runnable sign : signs) {
      letTimePass(REALM, Duration.ofHours(3));
      assertThat(silence()).isBetween(Duration.ofHours(3), Duration.ofHours(4));
      sign.run();
      assertThat(silence()).isBetween(Duration.ZERO, Duration.ofHours(1));
    }
  }

  @Test
  void renewalOfAnEarlierTenureIsRefusedAndIsNoSignOfLife() throws Exception {
    ledger.takeOver(REALM, "second");
    letTimePass(REALM, Duration.ofHours(3));
    assertThatThrownBy(() -> ledger.renew(tenure)).isInstanceOf(FencedException.class);
    assertThat(silence()).isGreaterThanOrEqualTo(Duration.ofHours(3));
  }

  @Test
  void renewalChangesNothingElse() {
    ledger.commit(tenure, Commit.builder().event(event("a")).build());
    ledger.renew(tenure);
    ledger.renew(tenure);
    assertThat(Samples.standing(ledger)).containsExactly(REALM, "first", 1L, 1L, 0L);
    assertThat(ledger.commit(tenure, Commit.builder().event(event("a")).build()))
        .isEqualTo(new Committed(2, 2));
  }

  @Test
  void silentOwnerIsReplacedAndALivingOneIsNot() throws Exception {
    ledger.commit(tenure, Commit.builder().event(event("a")).build());
    assertThat(ledger.takeOverIfSilent(REALM, "second", 1, Duration.ofHours(3))).isEmpty();
    assertThat(Samples.standing(ledger)).containsExactly(REALM, "first", 1L, 1L, 0L);
    ledger.commit(tenure, put(active("a", "a", 1)));
    letTimePass(REALM, Duration.ofHours(3));
    assertThat(ledger.takeOverIfSilent(REALM, "second", 1, Duration.ofHours(3)))
        .contains(new Tenure(REALM, "second", 2, 1));
    assertThatThrownBy(() -> ledger.commit(tenure, put(active("b", "b", 1))))
        .isInstanceOf(FencedException.class);
    assertThat(silence()).isLessThan(Duration.ofHours(1));
  }

  @Test
  void ownTenureIsResumedAndAnotherOnesIsNot() {
    Tenure resumed = ledger.resume(tenure);
    assertThat(resumed).isEqualTo(new Tenure(REALM, "first", 2, 0));
    assertThat(ledger.resume(tenure))
        .as("an epoch of its own")
        .extracting(Tenure::epoch)
        .isEqualTo(3L);
    ledger.takeOver(REALM, "second");
    assertThatExceptionOfType(FencedException.class)
        .isThrownBy(() -> ledger.resume(resumed))
        .satisfies(e -> assertThat(e.isTakenOver()).isTrue());
    assertThat(Samples.standing(ledger)).containsExactly(REALM, "second", 4L, 0L, 0L);
  }

  @Test
  void takeOverFromAnEpochThatIsOverIsRefused() throws Exception {
    letTimePass(REALM, Duration.ofHours(3));
    assertThat(ledger.takeOverIfSilent(REALM, "second", 2, Duration.ofHours(1))).isEmpty();
    assertThat(ledger.takeOverIfSilent(REALM, "second", 0, Duration.ofHours(1))).isEmpty();
    assertThat(ledger.takeOverIfSilent(REALM, "second", 1, Duration.ofHours(1))).isPresent();
    letTimePass(REALM, Duration.ofHours(3));
    assertThat(ledger.takeOverIfSilent(REALM, "third", 1, Duration.ofHours(1))).isEmpty();
    assertThat(Samples.standing(ledger)).containsExactly(REALM, "second", 2L, 0L, 0L);
  }

  @Test
  void realmThatNobodyOwnedIsTakenOverByOne() {
    assertThat(ledger.takeOverIfSilent("other", "second", 1, Duration.ZERO)).isEmpty();
    assertThat(ledger.takeOverIfSilent("other", "second", 0, Duration.ofHours(3)))
        .contains(new Tenure("other", "second", 1, 0));
    assertThat(ledger.takeOverIfSilent("other", "third", 0, Duration.ZERO)).isEmpty();
  }

  @Test
  void commitOfAnEarlierTenureIsRefusedAndWritesNothing() {
    Tenure second = ledger.takeOver(REALM, "second");
    Commit commit = Commit.builder().put(active("a", "a", 1)).event(event("a")).build();
    assertThatExceptionOfType(FencedException.class)
        .isThrownBy(() -> ledger.commit(tenure, commit))
        .withMessageContaining("Epoch 1")
        .satisfies(e -> assertThat(e.code()).isEqualTo(LedgerException.Code.FENCED));
    assertThatThrownBy(() -> ledger.trim(tenure, Trimmable.EVENTS, NOON, 10))
        .isInstanceOf(FencedException.class);
    assertThat(ledger.find(REALM, run("a"))).isEmpty();
    assertThat(ledger.findRealm(REALM).orElseThrow().staleWrites()).isEqualTo(2);
    assertThat(ledger.commit(second, commit)).isEqualTo(new Committed(1, 1));
    assertThat(ledger.findRealm(REALM).orElseThrow().staleWrites()).isEqualTo(2);
  }

  @Test
  void commitInARealmThatNobodyTookOverIsRefused() {
    assertThatThrownBy(
            () -> ledger.commit(new Tenure("other", "me", 1, 0), put(active("a", "a", 1))))
        .isInstanceOf(FencedException.class);
  }

  @Test
  void realmsDoNotSeeEachOther() {
    Tenure other = ledger.takeOver("other", "me");
    ledger.commit(tenure, Commit.builder().put(active("a", "same", 1)).event(event("a")).build());
    ledger.commit(other, Commit.builder().put(active("a", "same", 2)).event(event("a")).build());
    ledger.commit(other, Commit.builder().delete(run("a")).event(event("a")).build());
    assertThat(ledger.find("other", run("a"))).isEmpty();
    assertThat(ledger.find(REALM, run("a"))).isPresent();
    assertThat(ledger.findRealm(REALM).orElseThrow().seq()).isEqualTo(1);
    assertThat(ledger.findRealm("other").orElseThrow().seq()).isEqualTo(2);
  }

  @Test
  void eventsAreNumberedWithoutGapsInTheirOrder() {
    assertThat(ledger.commit(tenure, Commit.builder().event(event("a")).event(event("b")).build()))
        .isEqualTo(new Committed(1, 2));
    Committed empty = ledger.commit(tenure, put(active("a", "a", 1)));
    assertThat(empty).isEqualTo(new Committed(3, 2));
    assertThat(empty.events()).isZero();
    assertThat(ledger.commit(tenure, Commit.builder().event(event("c")).build()))
        .isEqualTo(new Committed(3, 3));
    assertThat(Samples.allEvents(ledger, REALM))
        .containsExactly(
            new Stored<>(1, event("a")), new Stored<>(2, event("b")), new Stored<>(3, event("c")));
  }

  @Test
  void rowsComeBackAsTheyWereWritten() {
    String json = "{\"text\":\"line\\n, quote ' \\\" \u00fc \ud83d\ude00 \u0001\"}";
    EntityRow row =
        new EntityRow(
            new EntityKey("run", "01-a:b/c"),
            "",
            "Name mit \u00dcmlaut \ud83d\ude00 '; --",
            "parent",
            "running",
            true,
            NOON,
            Long.MIN_VALUE,
            new Body(7, json));
    ActionRow action = action("x", "resource", ActionState.PENDING);
    ledger.commit(tenure, Commit.builder().put(row).action(action).event(event("a")).build());
    assertThat(ledger.find(REALM, row.key())).contains(new Stored<>(1, row));
    assertThat(ledger.findAction(REALM, "x")).contains(new Stored<>(1, action));
  }

  @Test
  void everyPartOfARowCanChange() {
    EntityKey key = new EntityKey("run", "a");
    Body one = Samples.body("{\"n\":1}");
    Body two = Samples.body("{\"n\":2}");
    List<EntityRow> versions =
        List.of(
            new EntityRow(key, "p", "name", "parent", "new", true, NOON, 1, one),
            new EntityRow(key, "p", "name", "parent", "old", true, NOON, 1, one),
            new EntityRow(key, "p", "name", "parent", "old", true, null, 1, one),
            new EntityRow(key, "p", "name", "parent", "old", true, null, 1, two),
            new EntityRow(key, "q", "name", "parent", "old", true, null, 1, two),
            new EntityRow(key, "q", "other", "parent", "old", true, null, 1, two),
            new EntityRow(key, "q", null, "parent", "old", true, null, 1, two),
            new EntityRow(key, "q", null, null, "old", true, null, 1, two),
            new EntityRow(key, "q", "name", "stepparent", "old", true, null, 1, two),
            new EntityRow(key, "q", "name", "stepparent", "old", true, null, 2, two),
            new EntityRow(key, "q", "name", "stepparent", "old", false, null, 2, two),
            new EntityRow(key, "q", "name", "stepparent", "older", false, null, 2, two));
    for (EntityRow version : versions) {
      ledger.commit(tenure, Commit.builder().put(version).event(event("a")).build());
      long seq = ledger.findRealm(REALM).orElseThrow().seq();
      assertThat(ledger.find(REALM, key)).contains(new Stored<>(seq, version));
      assertThat(
              ledger.list(REALM, EntityQuery.all("run", 10).inProject(version.project())).items())
          .containsExactly(new Stored<>(seq, version));
      assertThat(ledger.list(REALM, EntityQuery.all("run", 10).active()).items())
          .hasSize(version.active() ? 1 : 0);
    }
  }

  @Test
  void whatIsSaidLastAboutAnEntityWins() {
    Commit commit =
        Commit.builder()
            .put(active("a", "x", 1))
            .delete(run("a"))
            .put(finished("a", "x", 1))
            .put(active("b", "y", 2))
            .delete(run("b"))
            .action(action("act", null, ActionState.PENDING))
            .action(action("act", null, ActionState.DONE))
            .build();
    ledger.commit(tenure, commit);
    assertThat(ledger.find(REALM, run("a"))).contains(new Stored<>(0, finished("a", "x", 1)));
    assertThat(ledger.find(REALM, run("b"))).isEmpty();
    assertThat(ledger.unfinishedActions(REALM)).isEmpty();
  }

  @Test
  void changedRowsCarryTheNumberOfTheirLastCommitAndActionsThatOfTheFirst() {
    Commit first =
        Commit.builder()
            .put(active("a", "a", 1))
            .action(action("x", null, ActionState.PENDING))
            .event(event("a"))
            .build();
    Commit second =
        Commit.builder()
            .put(finished("a", "a", 1))
            .action(action("x", null, ActionState.DONE))
            .event(event("a"))
            .event(event("a"))
            .build();
    ledger.commit(tenure, first);
    ledger.commit(tenure, second);
    assertThat(ledger.find(REALM, run("a"))).contains(new Stored<>(3, finished("a", "a", 1)));
    assertThat(ledger.findAction(REALM, "x"))
        .contains(new Stored<>(1, action("x", null, ActionState.DONE)));
  }

  @Test
  void deletingWhatIsNotThereIsSilent() {
    assertThat(ledger.commit(tenure, Commit.builder().delete(run("a")).build()).events()).isZero();
  }

  @Test
  void activeNameIsUniqueWithinKindAndProject() {
    ledger.commit(tenure, put(active("a", "same", 1)));
    ledger.commit(
        tenure, put(finished("b", "same", 2), entity("c", "other", "same", null, true, 3)));
    Commit clash =
        Commit.builder()
            .put(active("z", "free", 9))
            .put(active("d", "same", 4))
            .event(event("d"))
            .build();
    assertThatExceptionOfType(ConstraintException.class)
        .isThrownBy(() -> ledger.commit(tenure, clash))
        .satisfies(e -> assertThat(e.rule()).isEqualTo(ConstraintException.Rule.ACTIVE_NAME));
    assertThat(ledger.find(REALM, run("z"))).isEmpty();
    assertThat(ledger.findRealm(REALM).orElseThrow().seq()).isZero();
    assertThat(ledger.commit(tenure, Commit.builder().event(event("a")).build()).lastSeq())
        .isEqualTo(1);
  }

  @Test
  void nameMovesFromOneRowToTheNextInOneCommit() {
    ledger.commit(tenure, put(active("a", "same", 1)));
    ledger.commit(tenure, put(active("b", "same", 2), finished("a", "same", 1)));
    ledger.commit(tenure, Commit.builder().put(active("c", "same", 3)).delete(run("b")).build());
    assertThat(ledger.findActiveByName(REALM, "run", "main", "same"))
        .contains(new Stored<>(0, active("c", "same", 3)));
  }

  @Test
  void rowsWithoutANameDoNotClash() {
    ledger.commit(tenure, put(active("a", null, 1), active("b", null, 2)));
    assertThat(Samples.readActive(ledger, REALM)).hasSize(2);
  }

  @Test
  void onlyOneActionIsInFlightPerResource() {
    ledger.commit(
        tenure,
        Commit.builder()
            .action(action("a", "r", ActionState.IN_FLIGHT))
            .action(action("b", "r", ActionState.PENDING))
            .action(action("c", null, ActionState.IN_FLIGHT))
            .action(action("d", null, ActionState.IN_FLIGHT))
            .build());
    Commit clash = Commit.builder().action(action("b", "r", ActionState.IN_FLIGHT)).build();
    assertThatExceptionOfType(ConstraintException.class)
        .isThrownBy(() -> ledger.commit(tenure, clash))
        .satisfies(e -> assertThat(e.rule()).isEqualTo(ConstraintException.Rule.ONE_IN_FLIGHT));
    ledger.commit(
        tenure,
        Commit.builder()
            .action(action("b", "r", ActionState.IN_FLIGHT))
            .action(action("a", "r", ActionState.FAILED))
            .build());
    assertThat(ledger.findAction(REALM, "b").orElseThrow().row().state())
        .isEqualTo(ActionState.IN_FLIGHT);
  }

  @Test
  void unfinishedActionsComeInTheOrderOfTheirCommits() {
    ledger.commit(
        tenure,
        Commit.builder().action(action("z", null, ActionState.PENDING)).event(event("a")).build());
    ledger.commit(
        tenure,
        Commit.builder()
            .action(action("b", null, ActionState.IN_FLIGHT))
            .action(action("a", null, ActionState.PENDING))
            .action(action("c", null, ActionState.REVOKED))
            .event(event("a"))
            .build());
    assertThat(ledger.unfinishedActions(REALM))
        .extracting(s -> s.row().id())
        .containsExactly("z", "a", "b");
  }

  @Test
  void findsByNameTheActiveAndTheLatest() {
    ledger.commit(
        tenure, put(finished("a", "same", 1), active("b", "same", 2), finished("c", "same", 3)));
    assertThat(ledger.findActiveByName(REALM, "run", "main", "same").orElseThrow().row().key())
        .isEqualTo(run("b"));
    assertThat(ledger.findLatestByName(REALM, "run", "main", "same").orElseThrow().row().key())
        .isEqualTo(run("c"));
    assertThat(ledger.findActiveByName(REALM, "run", "main", "Same")).isEmpty();
    assertThat(ledger.findLatestByName(REALM, "run", "other", "same")).isEmpty();
    assertThat(ledger.findLatestByName(REALM, "job", "main", "same")).isEmpty();
  }

  @Test
  void activeRowsComeByKindOldestFirst() {
    EntityRow job =
        new EntityRow(
            new EntityKey("job", "j"),
            "main",
            null,
            "a",
            "running",
            true,
            null,
            9,
            Samples.body("{}"));
    ledger.commit(
        tenure,
        put(
            active("b", "b", 1),
            active("a", "a", 1),
            active("c", "c", 0),
            finished("d", "d", 2),
            job));
    List<String> ids = new ArrayList<>();
    long seq = ledger.readActive(REALM, stored -> ids.add(stored.row().key().id()));
    assertThat(ids).containsExactly("j", "c", "a", "b");
    assertThat(seq).isZero();
    assertThat(ledger.readActive("other", stored -> ids.add("wrong"))).isZero();
    assertThat(ids).doesNotContain("wrong");
  }

  @Test
  void failureOfTheReceiverReachesTheCaller() {
    ledger.commit(tenure, put(active("a", "a", 1)));
    assertThatThrownBy(
            () ->
                ledger.readActive(
                    REALM,
                    stored -> {
                      throw new UnsupportedOperationException("enough");
                    }))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessage("enough");
    assertThat(Samples.readActive(ledger, REALM)).hasSize(1);
  }

  @Test
  void listsNewestFirstAndPagesWithoutShifting() {
    ledger.commit(
        tenure,
        put(active("a", "a", 1), active("b", "b", 2), active("c", "c", 2), finished("d", "d", 3)));
    EntityQuery query = EntityQuery.all("run", 2);
    Page<Stored<EntityRow>> first = ledger.list(REALM, query);
    assertThat(ids(first)).containsExactly("d", "c");
    ledger.commit(tenure, put(active("e", "e", 4)));
    Page<Stored<EntityRow>> second = ledger.list(REALM, query.after(first.next().orElseThrow()));
    assertThat(ids(second)).containsExactly("b", "a");
    assertThat(second.next()).isEmpty();
  }

  @Test
  void sortsByBytesAndNotAsALanguageDoes() {
    List<String> sorted = List.of("-b", "10", "9", "A", "B", "_a", "a", "a-c", "ab", "b");
    List<String> mixed = List.of("a-c", "b", "B", "10", "_a", "ab", "9", "A", "-b", "a");
    Commit.Builder commit = Commit.builder();
    mixed.forEach(id -> commit.put(active(id, null, 1)));
    mixed.forEach(id -> commit.action(action(id, null, ActionState.PENDING)));
    ledger.commit(tenure, commit.build());
    assertThat(Samples.readActive(ledger, REALM))
        .extracting(stored -> stored.row().key().id())
        .containsExactlyElementsOf(sorted);
    assertThat(Samples.allPages(ledger, REALM, EntityQuery.all("run", 3)))
        .extracting(stored -> stored.row().key().id())
        .containsExactlyElementsOf(sorted.reversed());
    assertThat(ledger.unfinishedActions(REALM))
        .extracting(stored -> stored.row().id())
        .containsExactlyElementsOf(sorted);
  }

  @Test
  void listsByEveryFilter() {
    ledger.commit(
        tenure,
        put(
            entity("a", "main", "web-1", "p", true, 1),
            entity("b", "main", "Web-2", "p", false, 2),
            entity("c", "other", "web-3", "q", true, 3),
            entity("d", "main", null, "p", true, 4),
            entity("e", "", "%_web", null, false, 5)));
    EntityQuery all = EntityQuery.all("run", 10);
    assertThat(ids(ledger.list(REALM, all))).containsExactly("e", "d", "c", "b", "a");
    assertThat(ids(ledger.list(REALM, all.inProject("main")))).containsExactly("d", "b", "a");
    assertThat(ids(ledger.list(REALM, all.inProject("")))).containsExactly("e");
    assertThat(ids(ledger.list(REALM, all.ofParent("p")))).containsExactly("d", "b", "a");
    assertThat(ids(ledger.list(REALM, all.named("web")))).containsExactly("c", "a");
    assertThat(ids(ledger.list(REALM, all.named("%")))).containsExactly("e");
    assertThat(ids(ledger.list(REALM, all.active()))).containsExactly("d", "c", "a");
    assertThat(ids(ledger.list(REALM, all.active().inProject("main").ofParent("p").named("w"))))
        .containsExactly("a");
    assertThat(ids(ledger.list(REALM, EntityQuery.all("job", 10)))).isEmpty();
    assertThat(ids(ledger.list("other", all))).isEmpty();
  }

  @Test
  void damagedCursorIsTheCallersMistake() {
    ledger.commit(tenure, put(active("a", "a", 1), active("b", "b", 2)));
    EntityQuery query = EntityQuery.all("run", 1);
    String cursor = ledger.list(REALM, query).next().orElseThrow();
    for (String bad : List.of("", "!", "AAAA", cursor + "A", cursor.substring(1))) {
      assertThatThrownBy(() -> ledger.list(REALM, query.after(bad)))
          .as("cursor '%s'", bad)
          .isInstanceOf(BadCursorException.class);
    }
    for (int i = 0; i < cursor.length(); i++) {
      char other = cursor.charAt(i) == 'A' ? 'B' : 'A';
      String changed = cursor.substring(0, i) + other + cursor.substring(i + 1);
      assertThatThrownBy(() -> ledger.list(REALM, query.after(changed)))
          .isInstanceOf(BadCursorException.class);
    }
    assertThatThrownBy(() -> ledger.list(REALM, query.inProject("main").after(cursor)))
        .isInstanceOf(BadCursorException.class);
  }

  @Test
  void eventsAreFilteredAndTellWhereToGoOn() {
    ledger.commit(
        tenure,
        Commit.builder()
            .event(event("a", "main", NOON))
            .event(event("b", "other", NOON))
            .event(event("a", "other", NOON))
            .event(event("b", "main", NOON))
            .build());
    assertThat(seqs(EventQuery.after(1, 2))).containsExactly(2L, 3L);
    assertThat(ledger.events(REALM, EventQuery.after(1, 2)).nextAfter()).isEqualTo(3);
    assertThat(seqs(EventQuery.after(0, 10).about(run("a")))).containsExactly(1L, 3L);
    assertThat(seqs(EventQuery.after(0, 10).inProject("other"))).containsExactly(2L, 3L);
    assertThat(seqs(EventQuery.after(1, 10).inProject("other").about(run("a"))))
        .containsExactly(3L);
    EventPage none = ledger.events(REALM, EventQuery.after(0, 10).about(run("z")));
    assertThat(none).isEqualTo(new EventPage(List.of(), 4, 0));
    assertThat(ledger.events("other", EventQuery.after(7, 10)).nextAfter()).isEqualTo(7);
  }

  @Test
  void whoeverWaitsLearnsOfAnEvent() {
    assertThat(ledger.awaitEvents(REALM, 0, Duration.ZERO)).isFalse();
    ledger.commit(tenure, Commit.builder().event(event("a")).build());
    assertThat(ledger.awaitEvents(REALM, 0, Duration.ZERO)).isTrue();
    assertThat(ledger.awaitEvents(REALM, 1, Duration.ofMillis(1))).isFalse();
    assertThat(ledger.awaitEvents("other", 0, Duration.ofMillis(1))).isFalse();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var waiting =
          CompletableFuture.supplyAsync(
              () -> ledger.awaitEvents(REALM, 1, Duration.ofHours(1)), threads);
      ledger.commit(tenure, put(active("a", "a", 1)));
      ledger.commit(tenure, Commit.builder().event(event("a")).build());
      assertThat(waiting.join()).isTrue();
    }
  }

  @Test
  void waitingEndsWithTheLedgerAndWithAnInterrupt() {
    Thread.currentThread().interrupt();
    assertThat(ledger.awaitEvents(REALM, 0, Duration.ofHours(1))).isFalse();
    assertThat(Thread.interrupted()).isTrue();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var waiting =
          CompletableFuture.supplyAsync(
              () -> ledger.awaitEvents(REALM, 0, Duration.ofHours(1)), threads);
      ledger.close();
      assertThatThrownBy(waiting::join)
          .cause()
          .isInstanceOfSatisfying(
              LedgerException.class,
              e -> assertThat(e.code()).isEqualTo(LedgerException.Code.CLOSED));
    }
  }

  @Test
  void sameRequestGetsTheSameReplyAndAnotherIsTold() {
    ReplyRow reply = reply("k", "hash", NOON);
    assertThat(ledger.findReply(REALM, reply.key(), "hash")).isEqualTo(new ReplyLookup.Unseen());
    ledger.commit(tenure, Commit.builder().reply(reply).event(event("a")).build());
    assertThat(ledger.findReply(REALM, reply.key(), "hash"))
        .isEqualTo(new ReplyLookup.Replay(reply.reply(), 1, NOON));
    assertThat(ledger.findReply(REALM, reply.key(), "another"))
        .isEqualTo(new ReplyLookup.OtherRequest());
    assertThat(ledger.findReply(REALM, new IdempotencyKey("other/me", "k"), "hash"))
        .isEqualTo(new ReplyLookup.Unseen());
    assertThat(
            ledger.findReplies(
                REALM,
                List.of(
                    new ReplyLookup.Question(reply.key(), "another"),
                    new ReplyLookup.Question(new IdempotencyKey("other/me", "k"), "hash"),
                    new ReplyLookup.Question(reply.key(), "hash"))))
        .containsExactly(
            new ReplyLookup.OtherRequest(),
            new ReplyLookup.Unseen(),
            new ReplyLookup.Replay(reply.reply(), 1, NOON));
    assertThatExceptionOfType(ConstraintException.class)
        .isThrownBy(() -> ledger.commit(tenure, Commit.builder().reply(reply).build()))
        .satisfies(e -> assertThat(e.rule()).isEqualTo(ConstraintException.Rule.REPLY_ONCE));
  }

  @Test
  void trimsEventsFromTheOldestInPieces() {
    Commit.Builder commit = Commit.builder();
    LongStream.range(0, 5).forEach(i -> commit.event(event("a", "main", NOON.plusSeconds(i))));
    // The clock stepped back: an old time behind a young one.
    commit.event(event("a", "main", NOON));
    ledger.commit(tenure, commit.build());
    assertThat(ledger.trim(tenure, Trimmable.EVENTS, NOON.plusSeconds(4), 3)).isEqualTo(3);
    assertThat(ledger.trim(tenure, Trimmable.EVENTS, NOON.plusSeconds(4), 3)).isEqualTo(1);
    assertThat(ledger.trim(tenure, Trimmable.EVENTS, NOON.plusSeconds(4), 3)).isZero();
    EventPage page = ledger.events(REALM, EventQuery.after(0, 10));
    assertThat(page.events()).extracting(Stored::seq).containsExactly(5L, 6L);
    assertThat(page.trimmedSeq()).isEqualTo(4);
    assertThat(ledger.findRealm(REALM).orElseThrow().trimmedSeq()).isEqualTo(4);
    assertThat(ledger.trim(tenure, Trimmable.EVENTS, NOON.plusSeconds(99), 9)).isEqualTo(2);
    assertThat(ledger.commit(tenure, Commit.builder().event(event("a")).build()).lastSeq())
        .isEqualTo(7);
  }

  @Test
  void trimsRepliesAndFinishedActionsOnly() {
    ledger.commit(
        tenure,
        Commit.builder()
            .reply(reply("new", "h", NOON.plusSeconds(1)))
            .reply(reply("old", "h", NOON.minusSeconds(1)))
            .reply(reply("older", "h", NOON.minusSeconds(2)))
            .action(action("done", null, ActionState.DONE))
            .action(action("open", null, ActionState.PENDING))
            .build());
    assertThat(ledger.trim(tenure, Trimmable.REPLIES, NOON, 1)).isEqualTo(1);
    IdempotencyKey old = new IdempotencyKey("main/me", "old");
    assertThat(ledger.findReply(REALM, old, "h")).isInstanceOf(ReplyLookup.Replay.class);
    assertThat(ledger.trim(tenure, Trimmable.REPLIES, NOON, 9)).isEqualTo(1);
    assertThat(ledger.findReply(REALM, old, "h")).isInstanceOf(ReplyLookup.Unseen.class);
    assertThat(ledger.trim(tenure, Trimmable.FINISHED_ACTIONS, NOON, 9)).isZero();
    assertThat(ledger.trim(tenure, Trimmable.FINISHED_ACTIONS, NOON.plusMillis(1), 9)).isEqualTo(1);
    assertThatThrownBy(() -> ledger.trim(tenure, Trimmable.REPLIES, NOON, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(ledger.findAction(REALM, "done")).isEmpty();
    assertThat(ledger.findAction(REALM, "open")).isPresent();
  }

  @Test
  void closedLedgerSaysSo() {
    ledger.close();
    ledger.close();
    assertThatExceptionOfType(LedgerException.class)
        .isThrownBy(() -> ledger.commit(tenure, put(active("a", "a", 1))))
        .satisfies(e -> assertThat(e.code()).isEqualTo(LedgerException.Code.CLOSED));
    assertThatExceptionOfType(LedgerException.class)
        .isThrownBy(() -> ledger.findRealm(REALM))
        .satisfies(e -> assertThat(e.code()).isEqualTo(LedgerException.Code.CLOSED));
  }

  private Duration silence() {
    return ledger.findRealm(REALM).orElseThrow().silentFor();
  }

  private List<Long> seqs(EventQuery query) {
    return ledger.events(REALM, query).events().stream().map(Stored::seq).toList();
  }
}
