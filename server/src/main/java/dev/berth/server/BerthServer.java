package dev.berth.server;

import dev.berth.control.ControlPlane;
import dev.berth.control.FailPoint;
import dev.berth.ledger.Inbox;
import dev.berth.ledger.Ledger;
import dev.berth.ledger.Tenure;
import dev.berth.model.config.BackendDeclaration;
import dev.berth.model.config.ServerConfiguration;
import dev.berth.model.config.Size;
import dev.berth.server.blobs.BlobStore;
import dev.berth.server.blobs.BlobStores;
import dev.berth.server.ssh.OpenSshKey;
import dev.berth.server.traces.TraceSettings;
import dev.berth.server.traces.Traces;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A running server: ledger, backends, engine and API, opened in this order and closed in the other.
 */
public final class BerthServer implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(BerthServer.class.getName());

  private final Assembly parts;
  private final String url;

  private BerthServer(Assembly parts, String url) {
    this.parts = parts;
    this.url = url;
  }

  /**
   * What a server needs to know.
   *
   * @param home the folder that holds everything
   * @param plugins folders with backends that did not come with Berth
   * @param host null where the file tells
   * @param port 0 for any free one, null where the file tells
   * @param file the server's own file, which is watched
   * @param environment variables, of which some say where the state is kept
   */
  public record Settings(
      Path home,
      List<Path> plugins,
      @Nullable String host,
      @Nullable Integer port,
      String user,
      String project,
      ServerFile file,
      Map<String, String> environment) {
    public Settings {
      plugins = List.copyOf(plugins);
      environment = Map.copyOf(environment);
    }

    /** A server whose own file is in its home, where it has one. */
    public Settings(
        Path home, List<Path> plugins, String host, int port, String user, String project) {
      this(home, plugins, host, port, user, project, ServerFile.inHome(home), Map.of());
    }
  }

  /** Who hears how a server comes up. */
  public interface Beginning {
    /** This is what its file says; nothing was opened yet. */
    default void read(ServerConfiguration configuration) {}

    /** It stands by at an address, while another server is active. */
    void standingBy(String url, String active);
  }

  public static BerthServer start(Settings settings, FailPoint.Observer failPoints)
      throws IOException {
    return start(settings, failPoints, (_, _) -> {});
  }

  /** Starts a server, which waits where another one is active on the same database. */
  public static BerthServer start(
      Settings settings, FailPoint.Observer failPoints, Beginning beginning) throws IOException {
    ServerFile.Contents contents = settings.file().read();
    ServerConfiguration configuration = contents.configuration();
    beginning.read(configuration);
    contents.warnings().forEach(line -> LOG.log(System.Logger.Level.WARNING, line));
    TraceSettings wanted = TraceWishes.of(configuration, settings.file(), settings.environment());
    Traces traces =
        wanted == null ? Traces.OFF : Traces.open(wanted, version(), InstantSource.system());
    try {
      return start(settings, contents, failPoints, beginning, traces);
    } catch (IOException | RuntimeException | Error e) {
      traces.close();
      throw e;
    }
  }

  private static BerthServer start(
      Settings settings,
      ServerFile.Contents contents,
      FailPoint.Observer failPoints,
      Beginning beginning,
      Traces traces)
      throws IOException {
    ServerConfiguration configuration = contents.configuration();
    Map<String, BackendDeclaration> declared = DeclaredBackends.of(configuration);
    Path data = settings.home().resolve("server");
    Files.createDirectories(
        data, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    String token = Tokens.inFile(settings.home().resolve("token"));
    Ledger ledger = Storage.open(configuration.database(), settings.environment(), data);
    try {
      Uploads uploads = uploads(configuration, settings, data, ledger);
      HttpListener http =
          new HttpListener(Listening.of(settings.host(), settings.port(), configuration.server()));
      try (FirstLease lease = new FirstLease()) {
        Opened opened =
            takeOffice(
                settings,
                configuration,
                failPoints,
                token,
                ledger,
                uploads,
                traces,
                beginning,
                http,
                lease);
        return start(opened, declared, lease);
      } catch (IOException | RuntimeException | Error e) {
        http.close();
        uploads.store().close();
        throw e;
      }
    } catch (IOException | RuntimeException | Error e) {
      ledger.close();
      throw e;
    }
  }

  private static BerthServer start(
      Opened opened, Map<String, BackendDeclaration> declared, FirstLease lease)
      throws IOException {
    Assembly parts = new Assembly(opened, declared);
    boolean started = false;
    try {
      parts.start();
      started = true;
      return new BerthServer(parts, opened.http().at().atPort(opened.http().port()).url());
    } finally {
      // The engine gives signs of life now, or nobody does.
      lease.close();
      if (!started) {
        parts.close();
      }
    }
  }

  /** Opens the store of uploads, which must be the one that the database's other servers use. */
  private static Uploads uploads(
      ServerConfiguration configuration, Settings settings, Path data, Ledger ledger) {
    InstantSource clock = InstantSource.system();
    BlobStore store = BlobStores.open(configuration.blobs(), settings.environment(), data, clock);
    try {
      if (ledger.isShared()) {
        Installation.requireSameStore(ledger, store);
      }
    } catch (RuntimeException | Error e) {
      store.close();
      throw e;
    }
    Size limit = Objects.requireNonNullElse(configuration.uploadLimit(), Size.gib(2));
    return new Uploads(store, limit.mib() << 20, clock);
  }

  /** Becomes the active server, at once or when the one that is active is gone. */
  private static Opened takeOffice(
      Settings settings,
      ServerConfiguration configuration,
      FailPoint.Observer failPoints,
      String token,
      Ledger ledger,
      Uploads uploads,
      Traces traces,
      Beginning beginning,
      HttpListener http,
      FirstLease lease)
      throws IOException {
    KeptSecrets kept = new KeptSecrets(ledger, settings.home());
    // Before it waits, so that a server that could not go on does not stand by either.
    Keyring keys = kept.keys(ServerKeys.find(configuration, settings.home()));
    InstallationKey installationKey =
        new InstallationKey(ledger, settings.home().resolve("server"));
    // Different from that of any other server, also one with the same number elsewhere.
    String name = "pid %d (%s)".formatted(ProcessHandle.current().pid(), Tokens.random(8));
    Inbox inbox = ledger.inbox().orElse(null);
    Tenure tenure;
    if (inbox == null) {
      tenure = ledger.takeOver(Ledger.MAIN_REALM, name);
    } else {
      Fitness fitness =
          new Fitness(
              ledger,
              settings.home().resolve("server"),
              kept,
              keys,
              installationKey,
              uploads.store());
      AtomicReference<@Nullable StandbyApi> standing = new AtomicReference<>();
      try {
        tenure =
            new Standby(ledger, name)
                .await(
                    active -> {
                      StandbyApi api =
                          StandbyApi.start(
                              http,
                              ledger,
                              inbox,
                              keys,
                              uploads,
                              token,
                              settings.user(),
                              Opened.openMetrics(configuration),
                              traces);
                      standing.set(api);
                      beginning.standingBy(http.at().atPort(http.port()).url(), active);
                    },
                    fitness::require);
        lease.begin(ledger, tenure);
        StandbyApi stood = standing.get();
        if (stood != null) {
          stood.endWaiting();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("the server was stopped while it stood by");
      }
    }
    // The server before this one may have brought everything under another key meanwhile.
    kept.require(keys);
    KeptBackends backends = keptBackends(settings, ledger, tenure, keys);
    backends.bringUnderFirst(kept);
    OpenSshKey sshKey = installationKey.open(tenure, keys, kept);
    kept.bringUnderFirst(tenure, keys);
    return new Opened(
        settings,
        configuration,
        failPoints,
        token,
        ledger,
        tenure,
        keys,
        sshKey,
        backends,
        uploads,
        traces,
        http);
  }

  /** In the home, or where servers share a ledger in that. */
  private static KeptBackends keptBackends(
      Settings settings, Ledger ledger, Tenure tenure, Keyring keys) {
    BackendFiles files = BackendFiles.of(settings.home(), keys);
    if (!ledger.isShared()) {
      return files;
    }
    BackendRows rows = new BackendRows(ledger, tenure, keys);
    rows.takeIn(files);
    return rows;
  }

  /** All operations that the server has. */
  List<Route<?, ?>> routes() {
    return parts.routes();
  }

  public String url() {
    return url;
  }

  /**
   * Whether nothing needs this server: no run, no action, no machine that costs money, and no
   * request for so long.
   */
  public boolean idleFor(Duration time) {
    Duration quiet = Duration.ofNanos(System.nanoTime() - parts.lastTouched().get());
    ControlPlane control = parts.control();
    return quiet.compareTo(time) >= 0
        && control.activeRuns() == 0
        && control.unfinishedActions() == 0
        && control.machinesAtWork() == 0;
  }

  /** Completes when the server cannot go on. */
  public CompletableFuture<Throwable> failure() {
    return parts.control().failure();
  }

  public static String version() {
    String version = BerthServer.class.getPackage().getImplementationVersion();
    return version == null ? "0" : version;
  }

  @Override
  public void close() {
    parts.close();
  }
}
