package dev.berth.server;

import dev.berth.control.Engine;
import dev.berth.control.LoopStatus;
import dev.berth.control.Population;
import dev.berth.ledger.Ledger;
import dev.berth.ledger.LedgerException;
import dev.berth.ledger.RealmStatus;
import dev.berth.model.BackendKey;
import dev.berth.model.Webhook;
import dev.berth.model.api.DoctorView;
import dev.berth.model.api.DoctorView.Check;
import dev.berth.server.webhooks.HookEvents;
import dev.berth.server.webhooks.Webhooks;
import dev.berth.spi.BackendException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Looks at all that may be wrong with a server, as its operator would, and says what to do. */
final class DoctorService {
  /** Collected every six hours, so that this is a day without success. */
  private static final Duration OLD_PRICES = Duration.ofHours(30);

  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(20);
  private static final long LITTLE_SPACE = 1L << 30;
  private static final long NO_SPACE = 100L << 20;
  private static final int MANY_WAIT = 1_000;

  private final Engine engine;
  private final Ledger ledger;
  private final BackendService backends;
  private final Supplier<Map<String, Backends.Entry>> entries;
  private final Supplier<Map<String, Instant>> catalog;
  private final Supplier<Map<String, Integer>> orphans;
  private final HookEvents hooks;
  private final Webhooks senders;
  private final Supplier<Optional<String>> fileTrouble;
  private final Path data;
  private final InstantSource clock;

  /**
   * Looks at one server.
   *
   * @param catalog when each source was collected
   * @param orphans how many unknown things each backend had at the last look
   * @param fileTrouble what keeps the server's file from being followed
   * @param data the folder of the server's state
   */
  DoctorService(
      Engine engine,
      Ledger ledger,
      BackendService backends,
      Supplier<Map<String, Backends.Entry>> entries,
      Supplier<Map<String, Instant>> catalog,
      Supplier<Map<String, Integer>> orphans,
      HookEvents hooks,
      Webhooks senders,
      Supplier<Optional<String>> fileTrouble,
      Path data,
      InstantSource clock) {
    this.engine = engine;
    this.ledger = ledger;
    this.backends = backends;
    this.entries = entries;
    this.catalog = catalog;
    this.orphans = orphans;
    this.hooks = hooks;
    this.senders = senders;
    this.fileTrouble = fileTrouble;
    this.data = data;
    this.clock = clock;
  }

  DoctorView look() {
    List<Check> checks = new ArrayList<>();
    checks.add(storage());
    checks.add(space());
    checks.add(loop());
    checks.add(file());
    checks.addAll(providers());
    checks.addAll(prices());
    checks.add(doubts());
    checks.add(sweeping());
    checks.addAll(webhooks());
    return new DoctorView(clock.instant(), checks);
  }

  private Check storage() {
    try {
      RealmStatus realm = ledger.findRealm(Ledger.MAIN_REALM).orElseThrow();
      if (!realm.owner().equals(engine.tenure().owner())) {
        return Check.fail(
            "storage",
            "another server took over: " + realm.owner(),
            "end this server, or let it stand by");
      }
      if (!engine.loopStatus().writing()) {
        return Check.fail(
            "storage",
            "the last commit failed and is tried again",
            "look at the server's log, and at the disk or the database");
      }
      return Check.ok(
          "storage",
          "%s, active as %s, epoch %d, event %d"
              .formatted(
                  ledger.isShared() ? "PostgreSQL" : "a file",
                  realm.owner(),
                  realm.epoch(),
                  realm.seq()));
    } catch (LedgerException e) {
      return Check.fail(
          "storage", "it does not answer: " + e.getMessage(), "look at the disk or the database");
    }
  }

  private Check space() {
    try {
      long free = Files.getFileStore(data).getUsableSpace();
      Path file = data.resolve("berth.db");
      String sentence =
          gigabytes(free)
              + " free at "
              + data
              + (Files.exists(file)
                  ? ", of which the ledger uses " + gigabytes(Files.size(file))
                  : "");
      String remedy = "delete old runs with berth delete, or give the disk more space";
      return free < NO_SPACE
          ? Check.fail("disk", sentence, remedy)
          : free < LITTLE_SPACE ? Check.warn("disk", sentence, remedy) : Check.ok("disk", sentence);
    } catch (IOException e) {
      return Check.fail("disk", "it cannot be looked at: " + e, "look at the rights of " + data);
    }
  }

  private static String gigabytes(long bytes) {
    return String.format(Locale.ROOT, "%.2f GB", bytes / 1e9);
  }

  private Check loop() {
    LoopStatus loop = engine.loopStatus();
    String sentence =
        "%d messages wait, the oldest for %.1f s; %d actions are under way"
            .formatted(loop.waiting(), loop.lag().toMillis() / 1e3, engine.unfinishedActions());
    boolean slow = loop.lag().compareTo(Readiness.SLOW) > 0;
    return slow
        ? Check.fail("loop", sentence, "look at the server's log and at its storage")
        : loop.waiting() > MANY_WAIT
            ? Check.warn("loop", sentence, "submit more slowly, or use a faster disk")
            : Check.ok("loop", sentence);
  }

  private Check file() {
    return fileTrouble
        .get()
        .map(
            trouble ->
                Check.fail(
                    ServerFile.NAME,
                    trouble,
                    "correct the server's file; until then policies, backends and webhooks stay as"
                        + " they are"))
        .orElseGet(() -> Check.ok(ServerFile.NAME, "the server's file is followed"));
  }

  /** Asks each provider, all at once: one that does not answer must not hold up the report. */
  private List<Check> providers() {
    Map<String, CompletableFuture<Check>> asked = new TreeMap<>();
    entries
        .get()
        .forEach(
            (name, entry) -> {
              CompletableFuture<Check> answer = new CompletableFuture<>();
              asked.put(name, answer);
              Thread.ofVirtual()
                  .name("berth-doctor-" + name)
                  .start(() -> answer.complete(provider(entry)));
            });
    List<Check> checks = new ArrayList<>();
    long deadline = System.nanoTime() + ANSWER_WITHIN.toNanos();
    for (Map.Entry<String, CompletableFuture<Check>> one : asked.entrySet()) {
      Check silent =
          Check.fail(
              "backend " + one.getKey(),
              "it does not answer within " + ANSWER_WITHIN.toSeconds() + " seconds",
              "look whether its provider can be reached from the server");
      checks.add(
          one.getValue()
              .completeOnTimeout(silent, deadline - System.nanoTime(), TimeUnit.NANOSECONDS)
              .join());
    }
    return checks;
  }

  private Check provider(Backends.Entry entry) {
    String project = BackendKey.project(entry.key());
    String part = "backend " + entry.name() + (project == null ? "" : " of " + project);
    String remedy = "correct its settings, and ask with: berth backend check " + entry.name();
    String problem = entry.problem();
    if (problem != null) {
      return Check.fail(part, "it is not open: " + problem, remedy);
    }
    try {
      backends.check(entry);
      return Check.ok(part, "its provider accepts its settings");
    } catch (ApiException | BackendException e) {
      return Check.fail(part, "its provider refuses: " + e.getMessage(), remedy);
    } catch (RuntimeException | LinkageError e) {
      return Check.fail(part, "it failed: " + e, remedy);
    }
  }

  private List<Check> prices() {
    List<Check> checks = new ArrayList<>();
    new TreeMap<>(catalog.get())
        .forEach(
            (source, at) -> {
              Duration age = Duration.between(at, clock.instant());
              String sentence = "the prices of " + source + " are " + age.toHours() + " hours old";
              if (age.compareTo(OLD_PRICES) > 0) {
                checks.add(
                    Check.warn("catalog", sentence, "collect them with: berth catalog collect"));
              }
            });
    return checks.isEmpty() ? List.of(Check.ok("catalog", "no prices are old")) : checks;
  }

  private Check doubts() {
    long doubts =
        engine.populations().stream()
            .filter(group -> group.kind().equals("resource") && group.state().equals("in_doubt"))
            .mapToLong(Population::count)
            .sum();
    return doubts == 0
        ? Check.ok("doubt", "nothing is in doubt")
        : Check.warn(
            "doubt",
            doubts + " things may or may not be at their providers",
            "wait: each is looked for until that is clear; the events resource.in_doubt name them");
  }

  private Check sweeping() {
    List<String> unswept = engine.unswept();
    if (!unswept.isEmpty()) {
      return Check.fail(
          "sweeping",
          "nothing is swept at "
              + String.join(", ", unswept)
              + ": something there is newer than the database, which must be an older copy",
          "restore the newest copy of the database; until then nothing unknown is deleted");
    }
    Map<String, Integer> strangers = new TreeMap<>(orphans.get());
    strangers.values().removeIf(count -> count == 0);
    return strangers.isEmpty()
        ? Check.ok("sweeping", "nothing of ours is unknown")
        : Check.warn(
            "sweeping",
            "things of ours that nobody knows: " + strangers,
            "wait: they are deleted when they were seen twice and half an hour has passed");
  }

  private List<Check> webhooks() {
    Map<String, String> troubles = senders.troubles();
    List<Check> checks = new ArrayList<>();
    for (Webhook hook : hooks.kept()) {
      String part = "webhook " + hook.name();
      String trouble = troubles.get(hook.name());
      if (trouble != null) {
        checks.add(
            Check.warn(part, trouble, "correct its receiver or its settings; it is tried again"));
      } else if (hook.skipped() > 0) {
        checks.add(
            Check.warn(
                part,
                hook.skipped() + " events were given up",
                "read what was missed with berth event; the events webhook.skipped tell when"));
      } else {
        checks.add(Check.ok(part, "sent up to the event " + hook.seq()));
      }
    }
    return checks;
  }
}
