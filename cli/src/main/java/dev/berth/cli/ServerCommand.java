package dev.berth.cli;

import dev.berth.ledger.LedgerException;
import dev.berth.model.config.ServerConfiguration;
import dev.berth.model.config.ServerConfiguration.Log;
import dev.berth.model.config.ServerConfiguration.LogFormat;
import dev.berth.model.config.ServerConfiguration.LogLevel;
import dev.berth.server.BerthServer;
import dev.berth.server.PrivateFile;
import dev.berth.server.ServerFile;
import dev.berth.server.blobs.BlobException;
import dev.berth.server.logging.ServerLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs a server. */
@Command(
    name = "server",
    description = "Run a server in the foreground until it is stopped.",
    subcommands = ServerStopCommand.class)
final class ServerCommand implements Callable<Integer> {
  private static final Duration LOOK_EVERY = Duration.ofSeconds(1);
  private static final Duration DEFAULT_IDLE = Duration.ofMinutes(15);

  /** How long a server that ends may keep the home from the next one. */
  private static final Duration BEFORE_ENDS_WITHIN = Duration.ofSeconds(5);

  private static final Duration TRY_EVERY = Duration.ofMillis(50);

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--host",
      paramLabel = "HOST",
      description =
          "The address to listen on (default: the value in the server's file, or 127.0.0.1).")
  private @Nullable String host;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description =
          "The port to listen on; 0 for any free one (default: the value in the server's file, or"
              + " 3777).")
  private @Nullable Integer port;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "The server's configuration file, reloaded when it changes (default: server.yml in the"
              + " home folder, if present).")
  private @Nullable Path config;

  @Option(
      names = "--log-format",
      paramLabel = "FORMAT",
      description = "Log format: text or json (default: the value in the server's file, or text).")
  private @Nullable String logFormat;

  @Option(
      names = "--embedded",
      hidden = true,
      description = "Run in the background for one user and stop when idle.")
  private boolean embedded;

  @Override
  public Integer call() throws IOException, InterruptedException {
    Home home = Home.find();
    CountDownLatch ended = new CountDownLatch(1);
    try (BerthServer server = start(home)) {
      Runtime.getRuntime()
          .addShutdownHook(new Thread(() -> shutDown(server, home, ended), "berth-shutdown"));
      if (embedded) {
        PrivateFile.write(
            home.embedded(), EmbeddedServer.describe(server.url(), ProcessHandle.current().pid()));
      }
      spec.commandLine()
          .getOut()
          .println("berth: listening on " + server.url() + "; the token is in " + home.token());
      spec.commandLine().getOut().flush();
      return await(server);
    } catch (LedgerException | BlobException e) {
      throw new CommandFailure(
          ExitCode.FAILED, inBackground(home, e).orElse(String.valueOf(e.getMessage())));
    } catch (ServerFile.Invalid e) {
      throw new CommandFailure(
          ExitCode.INVALID_FILE, "the server's file is not valid:\n" + e.getMessage());
    } finally {
      ended.countDown();
    }
  }

  /** What to do where the server in the background is in the way. */
  private Optional<String> inBackground(Home home, RuntimeException e) {
    boolean inUse =
        e instanceof LedgerException ledger && ledger.code() == LedgerException.Code.IN_USE;
    if (!inUse) {
      return Optional.empty();
    }
    return embedded
        ? Optional.of(inForeground(home, e))
        : new EmbeddedServer(home, spec.commandLine().getErr())
            .find()
            .map(server -> inUse(home, server));
  }

  /** What to do where a server that somebody started is in the way of the one in the background. */
  private static String inForeground(Home home, RuntimeException e) {
    return e.getMessage()
        + " If you started it with 'berth server', tell commands its address: berth config --url"
        + " URL --token - < "
        + home.token();
  }

  private static String inUse(Home home, EmbeddedServer.Address server) {
    server.client().close();
    return home.folder()
        + " is in use by process "
        + server.pid()
        + ", a server that commands started in the background ("
        + server.url()
        + "). Stop it first with: berth server stop";
  }

  /**
   * Starts the server. One in the background is started as soon as nobody answers, which is while
   * the one before it may still end, so it waits for that.
   */
  private BerthServer start(Home home) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + BEFORE_ENDS_WITHIN.toNanos();
    boolean told = false;
    while (true) {
      try {
        return BerthServer.start(
            settings(home),
            FailPoints.fromEnvironment(System.getenv("BERTH_FAIL_AT")),
            new Beginning());
      } catch (LedgerException e) {
        if (!embedded || e.code() != LedgerException.Code.IN_USE || System.nanoTime() > deadline) {
          throw e;
        }
        if (!told) {
          spec.commandLine()
              .getErr()
              .println("berth: waiting for the previous server to stop: " + e.getMessage());
          spec.commandLine().getErr().flush();
          told = true;
        }
        Thread.sleep(TRY_EVERY);
      }
    }
  }

  private BerthServer.Settings settings(Home home) {
    return new BerthServer.Settings(
        home.folder(),
        PluginFolders.of(home),
        embedded && host == null ? "127.0.0.1" : host,
        embedded ? Integer.valueOf(0) : port,
        "admin",
        ClientSettings.DEFAULT_PROJECT,
        config == null ? ServerFile.inHome(home.folder()) : ServerFile.named(config),
        embedded ? Map.of() : System.getenv());
  }

  private @Nullable LogFormat wantedFormat() {
    if (logFormat == null) {
      return null;
    }
    return switch (logFormat) {
      case "text" -> LogFormat.TEXT;
      case "json" -> LogFormat.JSON;
      default ->
          throw new CommandFailure(
              ExitCode.USAGE, "--log-format is text or json, not '" + logFormat + "'");
    };
  }

  /** Hears how the server comes up. */
  private final class Beginning implements BerthServer.Beginning {
    @Override
    public void read(ServerConfiguration configuration) {
      Log log = configuration.log() == null ? new Log(null, null) : configuration.log();
      LogFormat format = wantedFormat() == null ? log.format() : wantedFormat();
      ServerLog.configure(
          format == null ? LogFormat.TEXT : format,
          log.level() == null ? LogLevel.INFO : log.level(),
          System.err);
    }

    @Override
    public void standingBy(String url, String active) {
      spec.commandLine()
          .getOut()
          .println("berth: standing by at " + url + "; the active server is " + active);
      spec.commandLine().getOut().flush();
    }
  }

  private int await(BerthServer server) throws InterruptedException {
    Duration idle = idleTime();
    while (true) {
      try {
        Throwable cause = server.failure().get(LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS);
        throw new CommandFailure(
            ExitCode.FAILED, "the server stopped because of an error: " + cause.getMessage());
      } catch (TimeoutException e) {
        if (embedded && server.idleFor(idle)) {
          return ExitCode.OK;
        }
      } catch (ExecutionException e) {
        throw new CommandFailure(
            ExitCode.FAILED, "the server stopped because of an error: " + e.getCause());
      }
    }
  }

  private void shutDown(BerthServer server, Home home, CountDownLatch ended) {
    if (embedded) {
      try {
        Files.deleteIfExists(home.embedded());
      } catch (IOException e) {
        System.err.println(
            "berth: " + home.embedded() + " could not be removed: " + e.getMessage());
      }
    }
    if (ended.getCount() > 0) {
      server.close();
    }
  }

  private static Duration idleTime() {
    String seconds = System.getenv("BERTH_EMBEDDED_IDLE_SECONDS");
    return seconds == null ? DEFAULT_IDLE : Duration.ofSeconds(Long.parseLong(seconds));
  }
}
