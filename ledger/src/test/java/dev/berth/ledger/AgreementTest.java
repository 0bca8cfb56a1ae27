package dev.berth.ledger;

import static dev.berth.ledger.Samples.NOON;
import static dev.berth.ledger.Samples.REALM;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Random commits leave the same contents, and the same refusals, in every ledger. */
class AgreementTest {
  private static final int STEPS = System.getProperty("berth.soak", "").isBlank() ? 400 : 1500;
  private static final List<String> KINDS = List.of("run", "job");
  private static final List<String> PROJECTS = List.of("", "main", "other");
  private final long seed = Long.getLong("berth.seed", new SplittableRandom().nextLong());
  private final SplittableRandom random = new SplittableRandom(seed);
  @TempDir Path folder;

  @Test
  void sqliteAgreesWithMemory() {
    agree(SqliteLedger.open(folder.resolve("berth.db")));
  }

  @Test
  void postgresAgreesWithMemory() {
    agree(PostgresLedger.open(PostgresServer.newDatabase()));
  }

  private void agree(Ledger opened) {
    System.out.println("AgreementTest seed " + seed + " (repeat with -Dberth.seed)");
    try (Ledger memory = new InMemoryLedger();
        Ledger stored = opened) {
      Tenure tenure = both(memory, stored, ledger -> ledger.takeOver(REALM, "first"), "start");
      for (int step = 0; step < STEPS; step++) {
        String what = "step " + step + " of seed " + seed;
        Tenure current = tenure;
        switch (random.nextInt(40)) {
          case 0 -> tenure = both(memory, stored, l -> l.takeOver(REALM, "again"), what);
          case 3 -> {
            // Zero is any silence, and an hour is longer than this test takes.
            long epoch = current.epoch() - random.nextInt(2);
            Duration silence = random.nextBoolean() ? Duration.ZERO : Duration.ofHours(1);
            tenure =
                both(
                        memory,
                        stored,
                        l -> l.takeOverIfSilent(REALM, "standby", epoch, silence),
                        what)
                    .orElse(current);
          }
          case 4 -> {
            Tenure renewed = new Tenure(REALM, "me", current.epoch() - random.nextInt(2), 0);
            both(memory, stored, l -> outcome(() -> renew(l, renewed)), what);
          }
          case 1 -> {
            Tenure stale = new Tenure(REALM, "stale", current.epoch() - 1, 0);
            Commit commit = commit();
            both(memory, stored, l -> outcome(() -> l.commit(stale, commit)), what);
          }
          case 2 -> {
            Trimmable trimmable = pick(List.of(Trimmable.values()));
            int seconds = random.nextInt(1000);
            // Rows of equal age are interchangeable, so a piece must not cut between them.
            int atMost = trimmable == Trimmable.EVENTS ? random.nextInt(1, 50) : 100_000;
            both(
                memory,
                stored,
                l -> l.trim(current, trimmable, NOON.plusSeconds(seconds), atMost),
                what);
          }
          default -> {
            Commit commit = commit();
            both(memory, stored, l -> outcome(() -> l.commit(current, commit)), what);
          }
        }
        if (step % 25 == 0) {
          compare(memory, stored, what);
        }
      }
      compare(memory, stored, "end of seed " + seed);
    }
  }

  private void compare(Ledger memory, Ledger stored, String what) {
    both(memory, stored, Samples::standing, what);
    both(memory, stored, ledger -> Samples.readActive(ledger, REALM), what);
    both(memory, stored, ledger -> Samples.allEvents(ledger, REALM), what);
    both(memory, stored, ledger -> ledger.unfinishedActions(REALM), what);
    for (int i = 0; i < 60; i++) {
      EntityQuery query = query();
      both(memory, stored, ledger -> Samples.allPages(ledger, REALM, query), what + query);
      String project = pick(PROJECTS);
      String name = name();
      both(memory, stored, l -> l.findActiveByName(REALM, "run", project, name), what);
      both(memory, stored, l -> l.findLatestByName(REALM, "run", project, name), what);
      EventQuery events =
          new EventQuery(
              random.nextInt(-5, 3000), maybe(key()), maybe(project), random.nextInt(1, 20));
      both(memory, stored, l -> l.events(REALM, events), what + events);
      String action = "a" + random.nextInt(60);
      both(memory, stored, l -> l.findAction(REALM, action), what);
      IdempotencyKey key = idempotencyKey();
      both(memory, stored, l -> l.findReply(REALM, key, "h1"), what);
    }
  }

  private EntityQuery query() {
    return new EntityQuery(
        pick(KINDS),
        maybe(pick(PROJECTS)),
        maybe("p" + random.nextInt(4)),
        maybe(Character.toString(name().codePointAt(0))),
        random.nextBoolean(),
        random.nextInt(1, 12),
        null);
  }

  private Commit commit() {
    Commit.Builder builder = Commit.builder();
    for (int i = random.nextInt(6); i > 0; i--) {
      builder.put(entity());
    }
    for (int i = random.nextInt(2); i > 0; i--) {
      builder.delete(key());
    }
    for (int i = random.nextInt(4); i > 0; i--) {
      builder.event(
          new EventRow(
              NOON.plusNanos(random.nextLong(1_000_000_000_000L)),
              "changed",
              key(),
              pick(PROJECTS),
              "tester",
              body()));
    }
    for (int i = random.nextInt(3); i > 0; i--) {
      builder.action(action());
    }
    if (random.nextInt(4) == 0) {
      builder.reply(
          new ReplyRow(
              idempotencyKey(),
              "h" + random.nextInt(2),
              body().json(),
              NOON.plusNanos(random.nextLong(1_000_000_000_000L))));
    }
    return builder.build();
  }

  private EntityRow entity() {
    return new EntityRow(
        key(),
        pick(PROJECTS),
        maybe(name()),
        maybe("p" + random.nextInt(4)),
        "s" + random.nextInt(3),
        random.nextInt(3) == 0,
        maybe(NOON.plusNanos(random.nextLong(1_000_000_000L))),
        random.nextInt(-20, 20),
        body());
  }

  private ActionRow action() {
    ActionState state = pick(List.of(ActionState.values()));
    return new ActionRow(
        "a" + random.nextInt(60),
        "create",
        key(),
        maybe("r" + random.nextInt(20)),
        state,
        maybe(NOON),
        NOON.plusSeconds(random.nextInt(100)),
        random.nextInt(3),
        state.finished() ? NOON.plusSeconds(random.nextInt(1000)) : null,
        body());
  }

  private EntityKey key() {
    return new EntityKey(pick(KINDS), "e" + random.nextInt(80));
  }

  private IdempotencyKey idempotencyKey() {
    return new IdempotencyKey("s", "k" + random.nextInt(200));
  }

  /** Names of few letters, so that they clash, among them such as databases like to confuse. */
  private String name() {
    return pick(List.of("a", "A", "ab", "%", "_a", "\u00e4", "\u00c4", "\ud83d\ude00b", "\uffee"))
        + (random.nextBoolean() ? "" : Integer.toString(random.nextInt(5)));
  }

  private Body body() {
    return new Body(random.nextInt(1, 4), "{\"n\":" + random.nextInt() + "}");
  }

  private <T> T pick(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  private <T> @Nullable T maybe(T value) {
    return random.nextBoolean() ? value : null;
  }

  private static Object renew(Ledger ledger, Tenure tenure) {
    ledger.renew(tenure);
    return "renewed";
  }

  /** The result, or which rule or fence refused. */
  private static Object outcome(Supplier<Object> work) {
    try {
      return work.get();
    } catch (ConstraintException e) {
      return e.rule();
    } catch (LedgerException e) {
      return e.code();
    }
  }

  private static <T> T both(
      Ledger memory, Ledger stored, Function<Ledger, T> question, String what) {
    T expected = question.apply(memory);
    assertThat(question.apply(stored)).as(what).isEqualTo(expected);
    return expected;
  }
}
