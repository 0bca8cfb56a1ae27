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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Reads the server's file again whenever it changes, and makes what it says true. */
final class ServerFileWatch implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(ServerFileWatch.class.getName());

  /** How soon what could not be done is tried again. */
  private static final Duration AGAIN_AFTER = Duration.ofMinutes(1);

  /** How long whoever starts a server waits for the backends of its file. */
  private static final Duration FIRST_TRY = Duration.ofSeconds(5);

  private final CountDownLatch triedOnce = new CountDownLatch(1);
  private final ServerFile file;
  private final DeclaredBackends backends;
  private final WatchService watch;
  private final Thread thread;
  private final Webhooks webhooks;
  private final PolicyBook policies;
  private final DefaultImages images;
  private Map<String, BackendDeclaration> wanted;
  private List<ServerConfiguration.Webhook> hooks;

  /** The mistakes that were told last, so that they are told once. */
  private String told = "";

  ServerFileWatch(
      ServerFile file,
      DeclaredBackends backends,
      Webhooks webhooks,
      PolicyBook policies,
      DefaultImages images,
      Map<String, BackendDeclaration> atStart,
      ServerConfiguration configuration)
      throws IOException {
    this.file = file;
    this.backends = backends;
    this.webhooks = webhooks;
    this.policies = policies;
    this.images = images;
    this.wanted = atStart;
    this.hooks = hooksOf(configuration);
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
      reread();
      webhooks.apply(hooks);
      boolean done = backends.apply(wanted);
      triedOnce.countDown();
      long tried = System.nanoTime();
      while (true) {
        long left = tried + AGAIN_AFTER.toNanos() - System.nanoTime();
        WatchKey key = done ? watch.take() : watch.poll(left, TimeUnit.NANOSECONDS);
        if (key != null) {
          key.pollEvents();
          key.reset();
        }
        // Other files of the folder change, too.
        boolean isTime = !done && System.nanoTime() - tried >= AGAIN_AFTER.toNanos();
        if (reread() || isTime) {
          webhooks.apply(hooks);
          done = backends.apply(wanted);
          tried = System.nanoTime();
        }
      }
    } catch (InterruptedException | ClosedWatchServiceException e) {
      LOG.log(System.Logger.Level.DEBUG, "The server's file is not watched any more");
    }
  }

  /** Whether it says something else now; what is wrong is told, and changes nothing. */
  private boolean reread() {
    try {
      ServerFile.Contents contents = file.read();
      told = "";
      policies.replace(PolicyBook.of(contents.configuration()));
      images.replace(DefaultImages.of(contents.configuration()));
      Map<String, BackendDeclaration> now = DeclaredBackends.of(contents.configuration());
      List<ServerConfiguration.Webhook> nowHooks = hooksOf(contents.configuration());
      if (now.equals(wanted) && nowHooks.equals(hooks)) {
        return false;
      }
      hooks = nowHooks;
      contents.warnings().forEach(line -> LOG.log(System.Logger.Level.WARNING, line));
      LOG.log(System.Logger.Level.INFO, "The server''s file has changed: {0}", file.path());
      wanted = now;
      return true;
    } catch (ServerFile.Invalid e) {
      String mistakes = String.valueOf(e.getMessage());
      if (!mistakes.equals(told)) {
        told = mistakes;
        LOG.log(
            System.Logger.Level.ERROR,
            "The server's file is not valid, so nothing changes:\n" + mistakes);
      }
      return false;
    }
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
