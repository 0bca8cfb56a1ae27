package dev.berth.server;

import dev.berth.catalog.collect.CatalogFolder;
import dev.berth.catalog.collect.CollectSchedule;
import dev.berth.catalog.collect.Collector;
import dev.berth.catalog.collect.KnownSources;
import dev.berth.catalog.collect.Progress;
import dev.berth.catalog.collect.Report;
import dev.berth.catalog.read.Importer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Collects the sources of the catalog when their prices get old. One thread, until closed. */
final class CatalogSchedule implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(CatalogSchedule.class.getName());
  private static final Duration LOOK_EVERY = Duration.ofMinutes(1);
  private static final Duration DEADLINE = Duration.ofMinutes(10);
  private static final int PARALLEL = 4;
  private static final CollectSchedule USUAL =
      new CollectSchedule(Duration.ofHours(6), Duration.ofMinutes(30));

  private final CatalogFolder folder;
  private final AccountCollection accounts;
  private final InstantSource clock;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread;

  /** When each source was last asked; only the thread touches it. */
  private final Map<String, Instant> tried = new HashMap<>();

  /** Sources of the last round in which a mirror did not answer; only the thread touches it. */
  private final Set<String> unanswered = new HashSet<>();

  CatalogSchedule(CatalogFolder folder, AccountCollection accounts, InstantSource clock) {
    this.folder = folder;
    this.accounts = accounts;
    this.clock = clock;
    this.thread = Thread.ofPlatform().daemon().name("berth-catalog").unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  private void run() {
    try {
      while (!closed.await(LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS)) {
        collectWhatIsDue();
        collectForAccounts();
      }
    } catch (InterruptedException e) {
      LOG.log(System.Logger.Level.DEBUG, "The catalog is not collected any more");
    }
  }

  /** Asks the sources whose prices are old; what goes wrong with one is written to the log. */
  void collectWhatIsDue() throws InterruptedException {
    try {
      KnownSources known = new KnownSources(folder.origins(), KnownSources.onClassPath());
      List<String> due = USUAL.due(known.names(), last(known), clock.instant());
      if (due.isEmpty()) {
        return;
      }
      due.forEach(source -> tried.put(source, clock.instant()));
      AtomicBoolean fromCopies = new AtomicBoolean();
      try (Importer importer =
          folder.importer(
              warning -> {
                fromCopies.set(true);
                LOG.log(System.Logger.Level.WARNING, warning);
              })) {
        new Collector(clock, PARALLEL, DEADLINE)
            .collect(known.sources(due, importer), folder, false, Progress.SILENT)
            .forEach(report -> log(report, ""));
        // A copy is no answer; whoever gave one is asked again soon.
        if (fromCopies.get()) {
          unanswered.addAll(due);
        } else {
          unanswered.removeAll(due);
        }
      }
    } catch (RuntimeException | ServiceConfigurationError e) {
      // The next look in a minute is the retry.
      LOG.log(System.Logger.Level.WARNING, "The catalog could not be collected", e);
    }
  }

  /** The same for what only the accounts of backends see. */
  void collectForAccounts() throws InterruptedException {
    try {
      accounts.collectWhatIsDue(
          USUAL,
          new Collector(clock, PARALLEL, DEADLINE),
          (backend, report) -> log(report, " with the account of the backend " + backend));
    } catch (RuntimeException | LinkageError e) {
      // The next look in a minute is the retry.
      LOG.log(System.Logger.Level.WARNING, "What accounts see could not be collected", e);
    }
  }

  private Map<String, CollectSchedule.Last> last(KnownSources known) {
    Map<String, CollectSchedule.Last> last = new HashMap<>();
    for (String source : known.names()) {
      last.put(
          source,
          new CollectSchedule.Last(
              unanswered.contains(source) ? null : folder.lastAsked(source).orElse(null),
              tried.get(source)));
    }
    return last;
  }

  private static void log(Report report, String how) {
    switch (report) {
      case Report.Accepted accepted ->
          LOG.log(
              System.Logger.Level.INFO,
              "Collected "
                  + accepted.accounting().offers()
                  + " offers of "
                  + accepted.source()
                  + how);
      case Report.Refused refused ->
          LOG.log(
              System.Logger.Level.WARNING,
              "The prices of " + refused.source() + how + " were refused: " + refused.verdict());
      case Report.Failed failed ->
          LOG.log(System.Logger.Level.WARNING, failed.source() + how + ": " + failed.sentence());
    }
  }

  @Override
  public void close() {
    closed.countDown();
    thread.interrupt();
  }
}
