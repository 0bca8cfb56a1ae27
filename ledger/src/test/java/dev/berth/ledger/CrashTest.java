package dev.berth.ledger;

import static dev.berth.ledger.Samples.REALM;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A killed writer loses nothing that it acknowledged and leaves no half commit. */
class CrashTest {
  private static final int ROUNDS = rounds(2);
  private final long seed = new SplittableRandom().nextLong();
  @TempDir Path folder;

  private static int rounds(int usual) {
    String soak = System.getProperty("berth.soak", "").strip();
    return soak.matches("[0-9]+") ? Math.max(usual, Integer.parseInt(soak)) : usual;
  }

  @Test
  void killedWriterKeepsWhatItAcknowledged() throws Exception {
    killedWriterKeepsWhatItAcknowledged(folder.resolve("berth.db").toString());
  }

  @Test
  void killedWriterKeepsWhatItAcknowledgedInPostgres() throws Exception {
    killedWriterKeepsWhatItAcknowledged(PostgresServer.newDatabase().toString());
  }

  private void killedWriterKeepsWhatItAcknowledged(String database) throws Exception {
    System.out.println("CrashTest seed " + seed);
    SplittableRandom random = new SplittableRandom(seed);
    Set<Long> acknowledged = new HashSet<>();
    for (int round = 0; round < ROUNDS; round++) {
      List<String> lines = new ArrayList<>();
      try (ChildJvm child =
          ChildJvm.start(folder, CommittingProgram.class, database, "" + random.nextLong())) {
        // Zero lines: killed while it starts, perhaps in the middle of the migration.
        // The last round has at least one, so that there is something to keep.
        int wanted = random.nextInt(round == ROUNDS - 1 ? 1 : 0, 60);
        for (int i = 0; i < wanted; i++) {
          lines.add(child.line().orElseThrow());
        }
        // A commit takes some milliseconds; without this the kill would always hit its beginning.
        long moment = System.nanoTime() + random.nextLong(5_000_000);
        while (System.nanoTime() < moment) {
          Thread.onSpinWait();
        }
        lines.addAll(child.kill());
      }
      collect(lines, acknowledged);
      check(database, acknowledged, "round " + round + " of seed " + seed);
    }
    assertThat(acknowledged).isNotEmpty();
  }

  @Test
  void failingDiskKeepsWhatWasAcknowledged() throws Exception {
    Path database = folder.resolve("berth.db");
    List<String> lines = new ArrayList<>();
    // The system refuses to let any file grow beyond 2 MB: an I/O error in the middle of writing.
    try (ChildJvm child =
        ChildJvm.start(
            folder,
            "ulimit -f 4096; trap '' XFSZ; exec \"$@\"",
            CommittingProgram.class,
            database.toString(),
            "1")) {
      for (Optional<String> line = child.line(); line.isPresent(); line = child.line()) {
        lines.add(line.get());
      }
    }
    assertThat(lines.getLast()).isIn("failed COMMIT_UNKNOWN .", "failed INPUT_OUTPUT .");
    Set<Long> acknowledged = new HashSet<>();
    collect(lines, acknowledged);
    assertThat(acknowledged).isNotEmpty();
    check(database.toString(), acknowledged, "failing disk");
  }

  /** Lines cut by the kill do not end in a dot and do not count. */
  private static void collect(List<String> lines, Set<Long> acknowledged) {
    for (String line : lines) {
      if (line.startsWith("ack ") && line.endsWith(" .")) {
        acknowledged.add(Long.parseLong(line.split(" ")[1]));
      }
    }
  }

  private static void check(String database, Set<Long> acknowledged, String what) {
    try (Ledger ledger = CommittingProgram.open(database)) {
      Tenure tenure = ledger.takeOver(REALM, "checker");
      List<Stored<EventRow>> events = Samples.allEvents(ledger, REALM);
      assertThat(events).as(what).hasSize(Math.toIntExact(tenure.seq()));
      Map<Long, Integer> eventsOf = new HashMap<>();
      long expected = 1;
      for (Stored<EventRow> event : events) {
        assertThat(event.seq()).as(what).isEqualTo(expected++);
        eventsOf.merge(number(event.row().kind()), 1, Integer::sum);
      }
      Map<Long, Integer> rowsOf = new HashMap<>();
      for (Stored<EntityRow> row : Samples.readActive(ledger, REALM)) {
        if (row.row().parent() != null) {
          rowsOf.merge(number(row.row().parent()), 1, Integer::sum);
        }
      }
      Map<Long, Integer> actionsOf = new HashMap<>();
      for (Stored<ActionRow> action : ledger.unfinishedActions(REALM)) {
        actionsOf.merge(number(action.row().kind()), 1, Integer::sum);
      }
      assertThat(rowsOf).as(what).isEqualTo(eventsOf);
      assertThat(actionsOf).as(what).isEqualTo(eventsOf);
      eventsOf.forEach(
          (number, parts) ->
              assertThat(ledger.findReply(REALM, new IdempotencyKey("crash", "c" + number), "h"))
                  .as(what)
                  .isInstanceOfSatisfying(
                      ReplyLookup.Replay.class,
                      replay -> assertThat(replay.reply()).isEqualTo("" + parts)));
      assertThat(eventsOf.keySet()).as(what).containsAll(acknowledged);
    }
  }

  private static long number(String label) {
    return Long.parseLong(label.substring(1));
  }
}
