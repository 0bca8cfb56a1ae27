package dev.berth.ledger;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.SplittableRandom;

/**
 * Commits as fast as it can until it is killed or the disk fails, and says which commits were
 * acknowledged: {@code ack <number> <last seq> .} on a line each.
 */
final class CommittingProgram {
  private CommittingProgram() {}

  public static void main(String[] arguments) {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    SplittableRandom random = new SplittableRandom(Long.parseLong(arguments[1]));
    try (Ledger ledger = open(arguments[0])) {
      Tenure tenure = ledger.takeOver(Samples.REALM, "child");
      out.println("open .");
      for (long number = tenure.epoch() * 1_000_000; ; number++) {
        Commit commit = commit(number, random.nextInt(1, 80), random.nextInt(1, 3000));
        long seq = ledger.commit(tenure, commit).lastSeq();
        out.println("ack " + number + " " + seq + " .");
      }
    } catch (LedgerException e) {
      out.println("failed " + e.code() + " .");
    }
  }

  /** The database in a file, or at an address of PostgreSQL. */
  static Ledger open(String place) {
    return place.startsWith("postgresql:")
        ? PostgresLedger.open(PostgresAddress.of(place))
        : SqliteLedger.open(Path.of(place));
  }

  /** A commit whose parts all name its number and how many parts of each sort there are. */
  static Commit commit(long number, int parts, int length) {
    Commit.Builder builder = Commit.builder();
    Body body = new Body(1, "{\"parts\":" + parts + ",\"pad\":\"" + "x".repeat(length) + "\"}");
    for (int part = 0; part < parts; part++) {
      EntityKey key = new EntityKey("part", number + "-" + part);
      builder.put(
          new EntityRow(key, "main", key.id(), "c" + number, "running", true, null, number, body));
      builder.event(new EventRow(Samples.NOON, "c" + number, key, "main", "child", body));
      builder.action(
          new ActionRow(
              key.id(),
              "c" + number,
              key,
              key.id(),
              ActionState.PENDING,
              null,
              Samples.NOON,
              0,
              null,
              body));
    }
    // One row that every commit changes, as in life.
    builder.put(
        new EntityRow(
            new EntityKey("newest", "only"), "", null, null, "n", true, null, number, body));
    builder.reply(
        new ReplyRow(new IdempotencyKey("crash", "c" + number), "h", "" + parts, Samples.NOON));
    return builder.build();
  }
}
