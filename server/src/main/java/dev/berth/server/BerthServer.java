package dev.berth.server;

import dev.berth.catalog.collect.CatalogFolder;
import dev.berth.control.Engine;
import dev.berth.control.Envelope;
import dev.berth.control.FailPoint;
import dev.berth.decisions.Message;
import dev.berth.decisions.Reply;
import dev.berth.ledger.Inbox;
import dev.berth.ledger.Ledger;
import dev.berth.ledger.Tenure;
import dev.berth.model.config.BackendDeclaration;
import dev.berth.model.config.ServerConfiguration;
import dev.berth.server.plugins.Plugins;
import dev.berth.spi.Owner;
import io.javalin.Javalin;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A running server: ledger, backends, engine and API, opened in this order and closed in the other.
 */
public final class BerthServer implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(BerthServer.class.getName());

  private final Ledger ledger;
  private final Plugins plugins;
  private final Engine engine;
  private final CatalogService catalog;
  private final CatalogSchedule schedule;
  private final ServerFileWatch fileWatch;
  private final LeftRuns leftRuns;
  private final Javalin http;
  private final String host;
  private final List<Route<?, ?>> routes;
  private final @Nullable InboxDesk desk;
  private final AtomicLong lastTouched;

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

  private BerthServer(
      Ledger ledger,
      Plugins plugins,
      Engine engine,
      CatalogService catalog,
      CatalogSchedule schedule,
      ServerFileWatch fileWatch,
      Access access,
      AtomicLong lastTouched,
      HttpApi api,
      List<Route<?, ?>> routes,
      @Nullable InboxDesk desk,
      Listening listening) {
    this.ledger = ledger;
    this.plugins = plugins;
    this.engine = engine;
    this.catalog = catalog;
    this.schedule = schedule;
    this.fileWatch = fileWatch;
    this.host = listening.host();
    this.desk = desk;
    this.leftRuns = access.leftRuns();
    this.routes = routes;
    this.lastTouched = lastTouched;
    this.http = api.create(listening.host(), listening.port());
  }

  /** Who hears of a server that has to wait for another one. */
  public interface Waiting {
    /** It stands by at an address, while another server is active. */
    void standingBy(String url, String active);
  }

  public static BerthServer start(Settings settings, FailPoint.Observer failPoints)
      throws IOException {
    return start(settings, failPoints, (_, _) -> {});
  }

  /** Starts a server, which waits where another one is active on the same database. */
  public static BerthServer start(Settings settings, FailPoint.Observer failPoints, Waiting waiting)
      throws IOException {
    ServerFile.Contents contents = settings.file().read();
    contents.warnings().forEach(line -> LOG.log(System.Logger.Level.WARNING, line));
    Map<String, BackendDeclaration> declared =
        DeclaredBackends.of(contents.configuration(), settings.project());
    Path data = settings.home().resolve("server");
    Files.createDirectories(
        data, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    String token = Tokens.inFile(settings.home().resolve("token"));
    Ledger ledger = Storage.open(contents.configuration().database(), settings.environment(), data);
    try {
      ServerConfiguration.Listen server = contents.configuration().server();
      Listening listening = Listening.of(settings.host(), settings.port(), server);
      Seal seal = new PlainSeal();
      InOffice office = takeOffice(ledger, listening, seal, token, settings.user(), waiting);
      boolean ownMachine = server == null || !Boolean.FALSE.equals(server.ownMachine());
      return start(settings, failPoints, ledger, office, seal, declared, ownMachine, token);
    } catch (IOException | RuntimeException | Error e) {
      ledger.close();
      throw e;
    }
  }

  /** The tenure of a server, and where it listens, as it did while it stood by. */
  private record InOffice(Tenure tenure, Listening listening) {}

  private static InOffice takeOffice(
      Ledger ledger, Listening listening, Seal seal, String token, String user, Waiting waiting)
      throws IOException {
    // Different from that of any other server, also one with the same number elsewhere.
    String name = "pid %d (%s)".formatted(ProcessHandle.current().pid(), Tokens.random(8));
    Inbox inbox = ledger.inbox().orElse(null);
    if (inbox == null) {
      return new InOffice(ledger.takeOver(Ledger.MAIN_REALM, name), listening);
    }
    AtomicReference<@Nullable StandbyApi> standing = new AtomicReference<>();
    try {
      Tenure tenure =
          new Standby(ledger, name)
              .await(
                  active -> {
                    StandbyApi api = StandbyApi.start(listening, ledger, inbox, seal, token, user);
                    standing.set(api);
                    waiting.standingBy(listening.atPort(api.port()).url(), active);
                  });
      StandbyApi api = standing.get();
      return new InOffice(tenure, api == null ? listening : listening.atPort(api.port()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("the server was stopped while it stood by");
    } finally {
      StandbyApi api = standing.get();
      if (api != null) {
        api.close();
      }
    }
  }

  private static BerthServer start(
      Settings settings,
      FailPoint.Observer failPoints,
      Ledger ledger,
      InOffice office,
      Seal seal,
      Map<String, BackendDeclaration> declared,
      boolean ownMachine,
      String token)
      throws IOException {
    Path data = settings.home().resolve("server");
    InstantSource clock = InstantSource.system();
    Plugins plugins = Plugins.load(settings.plugins());
    Backends backends =
        new Backends(
            plugins,
            BackendFiles.of(settings.home()),
            data,
            new Owner(Installation.of(ledger, office.tenure(), data)),
            clock);
    Engine engine =
        new Engine(
            ledger,
            office.tenure(),
            backends.owner(),
            backends.openAll(declared, ownMachine),
            backends::typeOf,
            clock,
            failPoints);
    Store store = new Store(ledger);
    FleetStore fleets = new FleetStore(ledger);
    BackendWords words = new BackendWords(engine, backends::typeOf);
    MessageSender sender = new MessageSender(engine);
    RunNames names = new RunNames(clock);
    RunService runs = new RunService(engine, words, store, sender, names, fleets, clock);
    CatalogFolder folder = new CatalogFolder(settings.home().resolve("catalog"), clock);
    CatalogService catalog =
        new CatalogService(
            folder, engine, CatalogService.onlineSources(plugins.sources(), clock), clock);
    CatalogSchedule schedule = new CatalogSchedule(folder, clock);
    BackendService backendService = new BackendService(engine, backends);
    ServerFileWatch fileWatch =
        new ServerFileWatch(
            settings.file(),
            settings.project(),
            new DeclaredBackends(engine, backends, backendService),
            declared);
    Access access = Access.of(settings, token, engine, ledger, store, sender, names, clock);
    Happenings happenings = Happenings.of(engine);
    JobOutputs outputs = new BackendOutputs(engine);
    List<Route<?, ?>> routes =
        Routes.of(
            Routes.reading(
                "ok", happenings, store, new LogService(happenings, outputs, store), fleets),
            runs,
            catalog,
            backendService,
            new FleetService(engine, words, fleets, sender, names),
            new ExplainService(engine, ledger, store, runs, clock),
            access.routes());
    AtomicLong lastTouched = new AtomicLong(System.nanoTime());
    HttpApi api =
        new HttpApi(
            routes,
            access.authenticator(),
            access.gate(),
            () -> lastTouched.set(System.nanoTime()),
            null);
    InboxDesk desk =
        ledger
            .inbox()
            .map(inbox -> new InboxDesk(inbox, seal, engine, ledger, outputs, api::answer))
            .orElse(null);
    BerthServer server =
        new BerthServer(
            ledger,
            plugins,
            engine,
            catalog,
            schedule,
            fileWatch,
            access,
            lastTouched,
            api,
            routes,
            desk,
            office.listening());
    engine.start();
    ensureAccess(engine, settings);
    access.leftRuns().start();
    schedule.start();
    try {
      fileWatch.start();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      server.close();
      throw new InterruptedIOException("the server was stopped while it started");
    }
    server.http.start();
    if (desk != null) {
      desk.start();
    }
    return server;
  }

  /** Nobody can be asked for anything before the server's own user and project are there. */
  private static void ensureAccess(Engine engine, Settings settings) {
    CompletableFuture<Reply> ensured =
        engine.send(Envelope.of(new Message.Access.Ensure(settings.user(), settings.project())));
    // An engine that cannot go on would let us wait for ever.
    Object first = CompletableFuture.anyOf(ensured, engine.failure()).join();
    if (first instanceof Throwable cause) {
      throw new IllegalStateException("the server cannot start", cause);
    }
  }

  /** All operations that the server has. */
  List<Route<?, ?>> routes() {
    return routes;
  }

  public String url() {
    return "http://" + host + ":" + http.port();
  }

  /**
   * Whether nothing needs this server: no run, no action, no machine that costs money, and no
   * request for so long.
   */
  public boolean idleFor(Duration time) {
    boolean quiet = Duration.ofNanos(System.nanoTime() - lastTouched.get()).compareTo(time) >= 0;
    return quiet
        && engine.activeRuns() == 0
        && engine.unfinishedActions() == 0
        && engine.machinesAtWork() == 0;
  }

  /** Completes when the server cannot go on. */
  public CompletableFuture<Throwable> failure() {
    return engine.failure();
  }

  public static String version() {
    String version = BerthServer.class.getPackage().getImplementationVersion();
    return version == null ? "0" : version;
  }

  @Override
  public void close() {
    http.stop();
    if (desk != null) {
      desk.close();
    }
    fileWatch.close();
    leftRuns.close();
    schedule.close();
    catalog.close();
    engine.close();
    plugins.close();
    ledger.close();
  }
}
