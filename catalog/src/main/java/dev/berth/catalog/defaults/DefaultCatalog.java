package dev.berth.catalog.defaults;

import dev.berth.catalog.CatalogException;
import dev.berth.catalog.collect.CatalogFolder;
import dev.berth.catalog.index.StoreLock;
import dev.berth.model.Sha256;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The catalog that offers are looked up in: the one that the user imported, or else a published one
 * that is fetched when it is needed. The latter has a folder of its own for each address, so that
 * the two never mix, and one process at a time fetches it.
 *
 * <p>Safe for any thread.
 */
public final class DefaultCatalog implements AutoCloseable {
  /** For how long a command waits for a first copy. */
  public static final Duration PATIENCE = Duration.ofSeconds(2);

  /** A fetch that is interrupted ends at once, unless another thread holds the folder. */
  private static final Duration ENDS_WITHIN = Duration.ofSeconds(5);

  private static final System.Logger LOG = System.getLogger(DefaultCatalog.class.getName());

  /** Versions are dated by the day, so that today's may look older than a day. */
  private static final Duration OLD_NEWS = Duration.ofDays(3);

  private static final String STATE = "fetch.json";

  private final CatalogFolder own;
  private final CatalogSetting setting;
  private final InstantSource clock;
  private final Background background;

  /** Where copies of the published catalog are; meaningless where that is off. */
  private final Path folder;

  private final CatalogFolder copies;
  private final ReentrantLock starting = new ReentrantLock();

  /** The fetch that this process began last. Guarded by the lock. */
  private @Nullable Future<?> underWay;

  /** Where it is carried out, if in this process. Guarded by the lock. */
  private @Nullable Thread worker;

  /** Carries a fetch out, in a way that outlives who waits for it. */
  public interface Background {
    Future<?> begin();
  }

  /**
   * Fetches in a thread of this process, which lives long enough for that.
   *
   * @param home the folder of the user's own catalog
   */
  public DefaultCatalog(Path home, CatalogSetting setting, InstantSource clock) {
    this(home, setting, clock, null);
  }

  /** Fetches by other means, which end in {@link #fetchIfDue} somewhere. */
  public DefaultCatalog(
      Path home, CatalogSetting setting, InstantSource clock, @Nullable Background background) {
    this.own = new CatalogFolder(home, clock);
    this.setting = setting;
    this.clock = clock;
    this.background = background == null ? this::inThread : background;
    this.folder = home.resolve("default").resolve(name(setting));
    this.copies = new CatalogFolder(folder, clock);
  }

  private static String name(CatalogSetting setting) {
    String address = String.valueOf(setting.address());
    return Sha256.of(address.getBytes(StandardCharsets.UTF_8)).substring(0, 16);
  }

  /** The user's own catalog, where something was imported; otherwise the copies, if any. */
  public CatalogFolder inUse() {
    return isNeeded() ? copies : own;
  }

  /** Whether the published catalog is to be used: it is not off, and the user has none. */
  private boolean isNeeded() {
    return setting.address() != null && own.store().sources().isEmpty();
  }

  /**
   * The catalog to look offers up in. It is fetched where it is due; only who has no copy at all
   * waits for that, and not for longer than said.
   */
  public CatalogInUse use(Duration atMost) throws InterruptedException {
    if (!isNeeded()) {
      return new CatalogInUse(own, null);
    }
    boolean isUnderWay = false;
    if (isDue(state())) {
      Future<?> fetch = fetching();
      isUnderWay = !copies.store().sources().isEmpty() || !isDoneWithin(fetch, atMost);
    }
    FetchState state = state();
    String sentence = sentence(state, isUnderWay);
    return new CatalogInUse(
        copies,
        state.failure() == null || isUnderWay ? sentence : sentence + "; " + CatalogHealth.REMEDY);
  }

  private boolean isDue(FetchState state) {
    boolean lost = state.failures() == 0 && copies.store().sources().isEmpty();
    Instant now = clock.instant();
    return lost || !state.dueAt(setting.refreshAfter(), now).isAfter(now);
  }

  private FetchState state() {
    return FetchState.read(folder.resolve(STATE));
  }

  private Future<?> fetching() {
    starting.lock();
    try {
      Future<?> current = underWay;
      if (current == null || current.isDone()) {
        current = background.begin();
        underWay = current;
      }
      return current;
    } finally {
      starting.unlock();
    }
  }

  private Future<?> inThread() {
    CompletableFuture<@Nullable Void> done = new CompletableFuture<>();
    Thread thread =
        Thread.ofPlatform()
            .daemon()
            .name("berth-default-catalog")
            .unstarted(
                () -> {
                  try {
                    fetchIfDue();
                    done.complete(null);
                  } catch (InterruptedException | RuntimeException e) {
                    LOG.log(System.Logger.Level.DEBUG, "The catalog was not fetched", e);
                    done.completeExceptionally(e);
                  }
                });
    var _ = done.whenComplete((_, _) -> thread.interrupt());
    worker = thread;
    thread.start();
    return done;
  }

  private static boolean isDoneWithin(Future<?> fetch, Duration atMost)
      throws InterruptedException {
    try {
      fetch.get(atMost.toNanos(), TimeUnit.NANOSECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      // What is wrong stands in the state, or in the log where not even that can be written.
      LOG.log(System.Logger.Level.WARNING, "The catalog cannot be fetched: " + e.getCause());
      return true;
    }
  }

  /**
   * Fetches the catalog, unless somebody else just did. Waits while somebody else does.
   *
   * @throws CatalogException where the folder cannot be written to
   */
  public void fetchIfDue() throws InterruptedException {
    String address = setting.address();
    if (address == null || !isNeeded()) {
      return;
    }
    try {
      Files.createDirectories(folder);
      try (StoreLock _ = StoreLock.acquire(folder)) {
        FetchState before = state();
        if (isDue(before)) {
          new Fetch(copies, clock).from(address, before).write(folder.resolve(STATE));
        }
      }
    } catch (IOException e) {
      throw new CatalogException("The catalog cannot be kept in " + folder + ": " + e, e);
    }
  }

  /** What is known of the published catalog without asking anybody; empty for the user's own. */
  public Optional<CatalogHealth> health() {
    if (!own.store().sources().isEmpty()) {
      return Optional.empty();
    }
    if (setting.address() == null) {
      return Optional.of(
          new CatalogHealth(true, "none is imported, and the default catalog is off"));
    }
    FetchState state = state();
    return Optional.of(
        new CatalogHealth(
            state.failure() == null,
            state.failure() == null && state.fetchedAt() == null
                ? "none is imported; " + setting.title() + " is fetched when offers are looked up"
                : sentence(state, false)));
  }

  /** A publisher that has stopped is noticed by nothing else. */
  private static String publishedLongBefore(
      @Nullable Instant collectedAt, Instant fetchedAt, Instant now) {
    return collectedAt == null || collectedAt.plus(OLD_NEWS).isAfter(fetchedAt)
        ? ""
        : " and published " + Ages.ago(collectedAt, now);
  }

  private String sentence(FetchState state, boolean isUnderWay) {
    Instant now = clock.instant();
    Instant fetchedAt = state.fetchedAt();
    String failure = state.failure();
    if (fetchedAt != null && !copies.store().sources().isEmpty()) {
      String used =
          "prices are from "
              + setting.title()
              + ", fetched "
              + Ages.ago(fetchedAt, now)
              + publishedLongBefore(state.collectedAt(), fetchedAt, now);
      return failure == null ? used : used + "; the last try failed: " + failure;
    }
    if (failure == null || isUnderWay) {
      return setting.title()
          + " is being fetched in the background; run the command again to see its prices";
    }
    return setting.title()
        + " could not be fetched: "
        + failure
        + "; the next try is "
        + Ages.in(state.dueAt(setting.refreshAfter(), now), now);
  }

  /** Ends a fetch of this process; what it fetched of some providers is kept. */
  @Override
  public void close() {
    @Nullable Thread ending;
    starting.lock();
    try {
      if (underWay != null) {
        underWay.cancel(true);
      }
      ending = worker;
    } finally {
      starting.unlock();
    }
    if (ending != null) {
      try {
        ending.join(ENDS_WITHIN);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
