package dev.berth.ledger;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;

/**
 * Prints how fast a ledger is; not a test. Arguments: the path of a SQLite database, an address of
 * PostgreSQL, or {@code postgres} for a server of its own that stores for certain; and optionally
 * the number of runs. A run is sixteen row writes in two commits: nine when it is new (run, job,
 * attempt, resource, two events, two actions, a reply) and seven when it is finished.
 */
final class LedgerFigures {
  private static final String PAD = "x".repeat(500);

  private LedgerFigures() {}

  public static void main(String[] arguments) throws IOException {
    if (!arguments[0].equals("postgres")) {
      measure(arguments[0], arguments);
      return;
    }
    try (EmbeddedPostgres server =
        EmbeddedPostgres.builder()
            .setServerConfig("fsync", "on")
            .setServerConfig("synchronous_commit", "on")
            .setErrorRedirector(ProcessBuilder.Redirect.DISCARD)
            .setOutputRedirector(ProcessBuilder.Redirect.DISCARD)
            .start()) {
      PostgresAddress address = PostgresServer.address(server.getPort(), "postgres");
      measure(address.toString(), arguments);
    }
  }

  private static void measure(String place, String... arguments) throws IOException {
    Path database = Path.of(place);
    boolean existed = Files.exists(database);
    long start = System.nanoTime();
    try (Ledger ledger = CommittingProgram.open(place)) {
      Tenure tenure = ledger.takeOver(Samples.REALM, "figures");
      System.out.printf(
          Locale.ROOT,
          "cold open and take-over, %s file: %d ms%n",
          existed ? "existing" : "new",
          millis(start));
      if (arguments.length == 1) {
        return;
      }
      int runs = Integer.parseInt(arguments[1]);
      for (int group : new int[] {256, 16, 1}) {
        commits(ledger, tenure, Math.min(runs, group * 400), group);
      }
      load(ledger);
      lists(ledger);
    }
    if (Files.exists(database)) {
      System.out.printf(Locale.ROOT, "file: %d MB%n", Files.size(database) >> 20);
    }
  }

  private static void commits(Ledger ledger, Tenure tenure, int runs, int group) {
    long base = ledger.findRealm(Samples.REALM).orElseThrow().seq();
    int commits = runs / group;
    long[] times = new long[commits * 2];
    long rows = 0;
    long start = System.nanoTime();
    for (int i = 0; i < commits; i++) {
      for (boolean active : new boolean[] {true, false}) {
        Commit.Builder builder = Commit.builder();
        for (int member = 0; member < group; member++) {
          addRun(builder, base + (long) i * group + member, active);
        }
        Commit commit = builder.build();
        rows += commit.size();
        long before = System.nanoTime();
        ledger.commit(tenure, commit);
        times[i * 2 + (active ? 0 : 1)] = System.nanoTime() - before;
      }
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    Arrays.sort(times);
    System.out.printf(
        Locale.ROOT,
        "groups of %d: %.0f rows/s, %.0f runs/s, a commit p50 %.2f ms p99 %.2f ms%n",
        group,
        rows / seconds,
        commits * group / seconds,
        times[times.length / 2] / 1e6,
        times[times.length * 99 / 100] / 1e6);
  }

  private static void addRun(Commit.Builder builder, long number, boolean active) {
    String id = "%012d".formatted(number);
    for (String kind : new String[] {"run", "job", "attempt", "resource"}) {
      builder.put(
          new EntityRow(
              new EntityKey(kind, id),
              "project-" + number % 10,
              kind.equals("run") ? "name-" + number : null,
              kind.equals("run") ? null : id,
              active ? "submitted" : "done",
              active,
              active ? Samples.NOON : null,
              number,
              Samples.body("{\"pad\":\"" + PAD + "\"}")));
    }
    for (int i = 0; i < (active ? 2 : 1); i++) {
      builder.event(Samples.event(id, "project-" + number % 10, Samples.NOON));
    }
    for (String verb : new String[] {"start", "delete"}) {
      builder.action(
          Samples.action(verb + id, id, active ? ActionState.PENDING : ActionState.DONE));
    }
    if (active) {
      builder.reply(Samples.reply(id, "hash", Samples.NOON));
    }
  }

  private static void load(Ledger ledger) {
    long start = System.nanoTime();
    long[] count = {0};
    ledger.readActive(Samples.REALM, stored -> count[0]++);
    System.out.printf(Locale.ROOT, "read %d active rows: %d ms%n", count[0], millis(start));
  }

  private static void lists(Ledger ledger) {
    long[] times = new long[500];
    for (int i = 0; i < times.length; i++) {
      long before = System.nanoTime();
      ledger.list(Samples.REALM, EntityQuery.all("run", 100).inProject("project-" + i % 10));
      times[i] = System.nanoTime() - before;
    }
    Arrays.sort(times);
    System.out.printf(
        Locale.ROOT,
        "list 100 newest: p50 %.2f ms p99 %.2f ms%n",
        times[250] / 1e6,
        times[495] / 1e6);
  }

  private static long millis(long start) {
    return Duration.ofNanos(System.nanoTime() - start).toMillis();
  }
}
