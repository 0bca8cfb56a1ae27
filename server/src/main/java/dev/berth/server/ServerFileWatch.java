package dev.berth.server;

import dev.berth.model.config.BackendDeclaration;
import dev.berth.model.config.ServerConfiguration;
import dev.berth.server.webhooks.Webhooks;
import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Reads the server's file again whenever it changes, and makes what it says true. */
final class ServerFileWatch implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(ServerFileWatch.class.getName());

  /** How soon what could not be done is tried again. */
  private static final Duration AGAIN_AFTER = Duration.ofMinutes(1);

  /** How long whoever starts a server waits for the backends of its file. */
  private static final Duration FIRST_TRY = Duration.ofSeconds(5);

  private final CountDownLatch triedOnce = new CountDownLatch(1);
  private final ServerFile file;
  private final DeclaredProjects projects;
  private final DeclaredBackends backends;
  private final WatchService watch;
  private final Thread thread;
  private final Webhooks webhooks;
  private final PolicyBook policies;
  private final DefaultImages images;
  private Map<String, BackendDeclaration> wanted;
  private List<String> projectNames;
  private List<ServerConfiguration.Webhook> hooks;

  /** Whether there was one, so that none is no file that says nothing. */
  private boolean wasThere;

  /** Whether all is as the file wants it; otherwise it is tried again. */
  private boolean done;

  private long tried = System.nanoTime();

  /** Why the file is not followed, and why it is not true; null where it is. Read by anybody. */
  private volatile @Nullable String unread;

  private volatile @Nullable String undone;

  ServerFileWatch(
      ServerFile file,
      DeclaredProjects projects,
      DeclaredBackends backends,
      Webhooks webhooks,
      PolicyBook policies,
      DefaultImages images,
      Map<String, BackendDeclaration> atStart,
      ServerConfiguration configuration)
      throws IOException {
    this.file = file;
    this.projects = projects;
    this.backends = backends;
    this.webhooks = webhooks;
    this.policies = policies;
    this.images = images;
    this.wanted = atStart;
    this.projectNames = DeclaredProjects.of(configuration);
    this.hooks = hooksOf(configuration);
    this.wasThere = !ServerFile.saysNothing(configuration);
    Path folder = file.folder();
    this.watch = folder.getFileSystem().newWatchService();
    // Editors write a new file and rename it, so the folder is watched.
    folder.register(
        watch,
        StandardWatchEventKinds.ENTRY_CREATE,
        StandardWatchEventKinds.ENTRY_MODIFY,
        StandardWatchEventKinds.ENTRY_DELETE);
    this.thread = Thread.ofPlatform().name("berth-server-file").daemon().unstarted(this::run);
  }

  /** Begins, and waits until what the file says was tried once; not for long, though. */
  void start() throws InterruptedException {
    thread.start();
    if (!triedOnce.await(FIRST_TRY.toMillis(), TimeUnit.MILLISECONDS)) {
      LOG.log(
          System.Logger.Level.WARNING,
          "Some backends of the server's file take long to open; runs cannot use them yet");
    }
  }

  private void run() {
    try {
      // It may have changed since it was read, for a server may stand by for long.
      look(true);
      triedOnce.countDown();
      while (true) {
        long left = tried + AGAIN_AFTER.toNanos() - System.nanoTime();
        WatchKey key = done ? watch.take() : watch.poll(left, TimeUnit.NANOSECONDS);
        if (key != null) {
          key.pollEvents();
          key.reset();
        }
        look(!done && System.nanoTime() - tried >= AGAIN_AFTER.toNanos());
      }
    } catch (InterruptedException | ClosedWatchServiceException e) {
      LOG.log(System.Logger.Level.DEBUG, "The server's file is not watched any more");
    }
  }

  /**
   * Reads the file, and makes it true where it has changed: other files of the folder change, too.
   * Nothing that goes wrong ends the watch, because policies and backends would then stay as they
   * are without anybody knowing.
   *
   * @param isTime whether it is tried although nothing has changed
   */
  private void look(boolean isTime) throws InterruptedException {
    try {
      if (reread() || isTime) {
        webhooks.apply(hooks);
        projects.apply(projectNames);
        done = backends.apply(wanted);
        tried = System.nanoTime();
        undone = null;
      }
    } catch (RuntimeException | Error e) {
      done = false;
      tried = System.nanoTime();
      undone = "its changes could not be applied and are retried: " + e;
      LOG.log(System.Logger.Level.ERROR, "The server's file could not be followed", e);
    }
  }

  /** Whether it says something else now; what is wrong is told, and changes nothing. */
  private boolean reread() {
    ServerFile.Contents contents;
    try {
      contents = file.read();
    } catch (ServerFile.Invalid e) {
      tellUnread("it is not valid, so nothing changes:\n" + e.getMessage());
      return false;
    }
    if (!contents.isThere() && wasThere) {
      // Some editors rename the old file first, and nobody means to drop all policies by that.
      tellUnread(
          "it is gone, so nothing changes; put it back, or restart the server to run without it");
      return false;
    }
    if (unread != null) {
      unread = null;
      LOG.log(System.Logger.Level.INFO, "The server''s file is followed again: {0}", file.path());
    }
    wasThere = contents.isThere();
    policies.replace(PolicyBook.of(contents.configuration()));
    images.replace(DefaultImages.of(contents.configuration()));
    Map<String, BackendDeclaration> now = DeclaredBackends.of(contents.configuration());
    List<ServerConfiguration.Webhook> nowHooks = hooksOf(contents.configuration());
    List<String> nowProjects = DeclaredProjects.of(contents.configuration());
    if (now.equals(wanted) && nowHooks.equals(hooks) && nowProjects.equals(projectNames)) {
      return false;
    }
    projectNames = nowProjects;
    hooks = nowHooks;
    contents.warnings().forEach(line -> LOG.log(System.Logger.Level.WARNING, line));
    LOG.log(System.Logger.Level.INFO, "The server''s file has changed: {0}", file.path());
    wanted = now;
    return true;
  }

  /** Tells it once. */
  private void tellUnread(String sentence) {
    if (!sentence.equals(unread)) {
      unread = sentence;
      LOG.log(System.Logger.Level.WARNING, "The server's file " + file.path() + ": " + sentence);
    }
  }

  /** What keeps the file from being followed. Safe for any thread. */
  Optional<String> trouble() {
    String sentence = unread;
    return Optional.ofNullable(sentence == null ? undone : sentence);
  }

  private static List<ServerConfiguration.Webhook> hooksOf(ServerConfiguration configuration) {
    return Objects.requireNonNullElse(
        configuration.webhooks(), List.<ServerConfiguration.Webhook>of());
  }

  @Override
  public void close() {
    thread.interrupt();
    try {
      watch.close();
      if (thread.getState() != Thread.State.NEW) {
        thread.join();
      }
    } catch (IOException e) {
      LOG.log(System.Logger.Level.WARNING, "The watch of the server's file did not close", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
