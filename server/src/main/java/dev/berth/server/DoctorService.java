package dev.berth.server;

import dev.berth.catalog.defaults.CatalogHealth;
import dev.berth.control.ControlPlane;
import dev.berth.control.LoopStatus;
import dev.berth.control.StateCount;
import dev.berth.ledger.Ledger;
import dev.berth.ledger.LedgerException;
import dev.berth.ledger.RealmStatus;
import dev.berth.model.BackendKey;
import dev.berth.model.Webhook;
import dev.berth.model.api.DoctorView;
import dev.berth.model.api.DoctorView.Check;
import dev.berth.model.offers.SizeFormat;
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
import java.util.Collections;
import java.util.List;
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

  private final ControlPlane control;
  private final Ledger ledger;
  private final BackendService backends;
  private final Supplier<Map<String, Backends.Entry>> entries;
  private final Supplier<Map<String, Instant>> catalog;
  private final Supplier<Optional<CatalogHealth>> defaultCatalog;
  private final Supplier<Map<String, Integer>> orphans;
  private final HookEvents hooks;
  private final Webhooks senders;
  private final Supplier<Optional<String>> fileTrouble;
  private final Supplier<Map<String, String>> refusedProjects;
  private final Path data;
  private final InstantSource clock;

  /**
   * Looks at one server.
   *
   * @param catalog when each source was collected
   * @param defaultCatalog how the one is that is fetched where none was imported
   * @param orphans how many unknown things each backend had at the last look
   * @param fileTrouble what keeps the server's file from being followed
   * @param refusedProjects the projects of that file that were not created, and why
   * @param data the folder of the server's state
   */
  DoctorService(
      ControlPlane control,
      Ledger ledger,
      BackendService backends,
      Supplier<Map<String, Backends.Entry>> entries,
      Supplier<Map<String, Instant>> catalog,
      Supplier<Optional<CatalogHealth>> defaultCatalog,
      Supplier<Map<String, Integer>> orphans,
      HookEvents hooks,
      Webhooks senders,
      Supplier<Optional<String>> fileTrouble,
      Supplier<Map<String, String>> refusedProjects,
      Path data,
      InstantSource clock) {
    this.control = control;
    this.ledger = ledger;
    this.backends = backends;
    this.entries = entries;
    this.catalog = catalog;
    this.defaultCatalog = defaultCatalog;
    this.orphans = orphans;
    this.hooks = hooks;
    this.senders = senders;
    this.fileTrouble = fileTrouble;
    this.refusedProjects = refusedProjects;
    this.data = data;
    this.clock = clock;
  }

  DoctorView look() {
    List<Check> checks = new ArrayList<>();
    checks.add(storage());
    checks.add(space());
    checks.add(loop());
    checks.add(file());
    new TreeMap<>(refusedProjects.get())
        .forEach(
            (name, refusal) ->
                checks.add(
                    Check.fail(
                        "project " + name,
                        "it was not created: " + refusal,
                        "give it another name in " + ServerFile.NAME)));
    checks.addAll(providers());
    checks.add(prices());
    checks.add(doubts());
    checks.add(sweeping());
    checks.addAll(webhooks());
    return new DoctorView(clock.instant(), checks);
  }

  private Check storage() {
    try {
      RealmStatus realm = ledger.findRealm(Ledger.MAIN_REALM).orElseThrow();
      if (!realm.owner().equals(control.tenure().owner())) {
        return Check.fail(
            "storage",
            "another server has taken over: " + realm.owner(),
            "stop this server, or let it run as a standby");
      }
      if (!control.loopStatus().writing()) {
        return Check.fail(
            "storage",
            "the last commit failed and is being retried",
            "check the server's log and the disk or database");
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
          "storage", "does not respond: " + e.getMessage(), "check the disk or the database");
    }
  }

  private Check space() {
    try {
      long free = Files.getFileStore(data).getUsableSpace();
      Path file = data.resolve("berth.db");
      String sentence =
          SizeFormat.ofBytes(free)
              + " free in "
              + data
              + (Files.exists(file)
                  ? "; the database uses " + SizeFormat.ofBytes(Files.size(file))
                  : "");
      String remedy = "delete old runs with berth delete, or free some disk space";
      return free < NO_SPACE
          ? Check.fail("disk", sentence, remedy)
          : free < LITTLE_SPACE ? Check.warn("disk", sentence, remedy) : Check.ok("disk", sentence);
    } catch (IOException e) {
      return Check.fail("disk", "cannot be read: " + e, "check the permissions of " + data);
    }
  }

  private Check loop() {
    LoopStatus loop = control.loopStatus();
    String sentence =
        "%d messages waiting, the oldest for %.1f s; %d actions in progress"
            .formatted(loop.waiting(), loop.lag().toMillis() / 1e3, control.unfinishedActions());
    boolean slow = loop.lag().compareTo(Readiness.SLOW) > 0;
    return slow
        ? Check.fail("loop", sentence, "check the server's log and its storage")
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
                    "correct the server's file; until then the previous policies, backends and"
                        + " webhooks stay in effect"))
        .orElseGet(() -> Check.ok(ServerFile.NAME, "the server's file is valid and in effect"));
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
              "no response within " + ANSWER_WITHIN.toSeconds() + " seconds",
              "check that the provider can be reached from the server");
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
    String remedy = "correct its settings, then run: berth backend check " + entry.name();
    String problem = entry.problem();
    if (entry.opening()) {
      return Check.warn(
          part,
          "not available yet: " + problem,
          "wait; if it lasts, check that the provider can be reached from the server");
    }
    if (problem != null) {
      return Check.fail(part, "not available: " + problem, remedy);
    }
    try {
      backends.check(entry);
      return Check.ok(part, "the provider accepts its settings");
    } catch (ApiException | BackendException e) {
      return Check.fail(part, "the provider rejects it: " + e.getMessage(), remedy);
    } catch (RuntimeException | LinkageError e) {
      return Check.fail(part, "the check failed: " + e, remedy);
    }
  }

  private Check prices() {
    return defaultCatalog
        .get()
        .map(
            health ->
                health.sound()
                    ? Check.ok("catalog", health.sentence())
                    : Check.warn("catalog", health.sentence(), CatalogHealth.REMEDY))
        .orElseGet(() -> prices(catalog.get(), clock.instant()));
  }

  /** In one line, however many sources there are. */
  static Check prices(Map<String, Instant> collected, Instant now) {
    Map<String, Instant> old = new TreeMap<>(collected);
    old.values().removeIf(at -> Duration.between(at, now).compareTo(OLD_PRICES) <= 0);
    if (old.isEmpty()) {
      return Check.ok("catalog", "all prices are up to date");
    }
    Duration oldest = Duration.between(Collections.min(old.values()), now);
    return Check.warn(
        "catalog",
        "the prices of %s are up to %s old"
            .formatted(String.join(", ", old.keySet()), readable(oldest)),
        "update them with: berth catalog collect");
  }

  private static String readable(Duration age) {
    return age.toHours() < 48 ? age.toHours() + " hours" : age.toDays() + " days";
  }

  private Check doubts() {
    long doubts =
        control.populations().stream()
            .filter(group -> group.kind().equals("resource") && group.state().equals("in_doubt"))
            .mapToLong(StateCount::count)
            .sum();
    return doubts == 0
        ? Check.ok("doubt", "no resource is in doubt")
        : Check.warn(
            "doubt",
            doubts
                + (doubts == 1 ? " resource" : " resources")
                + " may or may not exist at the provider",
            "none needed: Berth keeps looking until this is clear; see the resource.in_doubt"
                + " events");
  }

  private Check sweeping() {
    List<String> unswept = control.unswept();
    if (!unswept.isEmpty()) {
      return Check.fail(
          "sweeping",
          "orphans are not cleaned up at "
              + String.join(", ", unswept)
              + ": something there is newer than the database, so the database must be an old copy",
          "restore the latest backup of the database; until then no orphan is deleted");
    }
    Map<String, Integer> strangers = new TreeMap<>(orphans.get());
    strangers.values().removeIf(count -> count == 0);
    return strangers.isEmpty()
        ? Check.ok("sweeping", "no orphaned resources")
        : Check.warn(
            "sweeping",
            "orphaned resources at the providers: " + strangers,
            "none needed: they are deleted once seen twice over half an hour");
  }

  private List<Check> webhooks() {
    Map<String, String> troubles = senders.troubles();
    List<Check> checks = new ArrayList<>();
    for (Webhook hook : hooks.kept()) {
      String part = "webhook " + hook.name();
      String trouble = troubles.get(hook.name());
      if (trouble != null) {
        checks.add(
            Check.warn(
                part,
                trouble,
                "correct the receiver or the webhook's settings; delivery is retried"));
      } else if (hook.skipped() > 0) {
        checks.add(
            Check.warn(
                part,
                hook.skipped() + " events were not delivered",
                "see what was missed with berth event; the webhook.skipped events say when"));
      } else {
        checks.add(Check.ok(part, "delivered up to event " + hook.seq()));
      }
    }
    return checks;
  }
}
