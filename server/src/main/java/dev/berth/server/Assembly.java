package dev.berth.server;

import dev.berth.catalog.collect.AccountCatalogs;
import dev.berth.catalog.collect.CatalogFolder;
import dev.berth.catalog.defaults.DefaultCatalog;
import dev.berth.control.ControlPlane;
import dev.berth.control.Envelope;
import dev.berth.decisions.Message;
import dev.berth.decisions.Reply;
import dev.berth.ledger.Ledger;
import dev.berth.model.config.BackendDeclaration;
import dev.berth.planning.Planners;
import dev.berth.server.metrics.JobMetrics;
import dev.berth.server.metrics.ServerMetrics;
import dev.berth.server.metrics.StateMetrics;
import dev.berth.server.plugins.Plugins;
import dev.berth.server.traces.RunTraces;
import dev.berth.server.webhooks.Patience;
import dev.berth.server.webhooks.Webhooks;
import dev.berth.spi.Owner;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The parts of an active server, put together. */
final class Assembly {
  private final Opened opened;
  private final InstantSource clock = InstantSource.system();
  private final AtomicLong lastTouched = new AtomicLong(System.nanoTime());
  private final RunTraces runTraces;
  private final ServerMetrics metrics;
  private final Plugins plugins;
  private final Backends backends;
  private final SecretStore secrets;
  private final ControlPlane control;
  private final Store store;
  private final FleetStore fleets;
  private final CatalogService catalog;
  private final CatalogSchedule schedule;
  private final Webhooks webhooks;
  private final BackendWords words;
  private final PolicyBook policies;
  private final DefaultImages images;
  private final RunPlanning planning;
  private final ServerFileWatch fileWatch;
  private final Access access;
  private final UploadSweep uploadSweep;
  private final OutputKeeper outputKeeper;
  private final RetentionSweep retention;
  private final List<Route<?, ?>> routes;
  private final HttpApi api;
  private final @Nullable InboxDesk desk;

  Assembly(Opened opened, Map<String, BackendDeclaration> declared) throws IOException {
    this.opened = opened;
    BerthServer.Settings settings = opened.settings();
    Ledger ledger = opened.ledger();
    Uploads uploads = opened.uploads();
    Path data = settings.home().resolve("server");
    String installation = Installation.of(ledger, opened.tenure(), data);
    runTraces = new RunTraces(opened.traces(), installation);
    metrics = new ServerMetrics(BerthServer.version(), opened.traces()::dropped, runTraces::called);
    Installation.markStore(ledger, opened.tenure(), uploads.store(), installation);
    plugins = Plugins.loadCopies(settings.plugins());
    UploadedArchives archives = new UploadedArchives(uploads.store());
    backends =
        new Backends(
            plugins,
            opened.backends(),
            data,
            new Owner(installation),
            clock,
            archives,
            opened.sshKey().publicKey());
    secrets = new SecretStore(ledger, opened.keys());
    control =
        new ControlPlane(
            ledger,
            opened.tenure(),
            backends.owner(),
            backends.openAll(declared, opened.ownMachine()),
            backends::typeOf,
            clock,
            opened.failPoints(),
            secrets,
            metrics,
            new FolderMachines(archives, opened.sshKey().publicKey()));
    if (opened.backends() instanceof BackendRows rows) {
      rows.writeUnder(control::tenure);
    }
    words = new BackendWords(control, backends::typeOf);
    store = new Store(ledger);
    fleets = new FleetStore(ledger);
    Path catalogHome = settings.home().resolve("catalog");
    AccountCatalogs accounts = new AccountCatalogs(catalogHome, clock);
    catalog =
        new CatalogService(
            new DefaultCatalog(catalogHome, opened.catalogSetting(), clock),
            words,
            plugins::sources,
            accounts);
    control.readCatalogFrom(catalog);
    schedule =
        new CatalogSchedule(
            new CatalogFolder(catalogHome, clock),
            new AccountCollection(accounts, control::backends, backends::keys, clock),
            clock);
    BackendEvents backendEvents = new BackendEvents(control);
    BackendService backendService = new BackendService(control, backends, backendEvents);
    StateMetrics.register(metrics, control, catalog::collected, clock);
    if (Opened.measuredJobs(opened.configuration())) {
      JobMetrics.register(metrics, control::usage);
    }
    EngineHooks hooks = new EngineHooks(control, ledger, store);
    webhooks =
        new Webhooks(hooks, settings.file().folder(), installation, Patience.USUAL, metrics, clock);
    policies = new PolicyBook(words, PolicyBook.of(opened.configuration()));
    images = new DefaultImages(DefaultImages.of(opened.configuration()));
    planning = new RunPlanning(Planners.installed(), policies, images);
    DeclaredProjects projects = new DeclaredProjects(control);
    fileWatch =
        new ServerFileWatch(
            settings.file(),
            projects,
            new DeclaredBackends(control, backends, backendService, backendEvents),
            webhooks,
            policies,
            images,
            declared,
            opened.configuration());
    DoctorService doctor =
        new DoctorService(
            control,
            ledger,
            backendService,
            backends::entries,
            catalog::collected,
            catalog::health,
            metrics::strangers,
            hooks,
            webhooks,
            fileWatch::trouble,
            projects::refused,
            data,
            clock);
    MessageSender sender = new MessageSender(control);
    RunNames names = new RunNames(clock);
    access =
        Access.of(
            settings,
            opened.token(),
            control,
            ledger,
            store,
            sender,
            names,
            clock,
            opened.configuration().oidc(),
            backends::ownedBy,
            opened.usersMayMakeProjects());
    retention =
        new RetentionSweep(
            opened.retention(),
            (what, before, atMost) -> ledger.trim(control.tenure(), what, before, atMost),
            () -> secrets.forgetUnused(control.tenure()),
            clock);
    uploadSweep = new UploadSweep(uploads, store::uploadsInUse, clock);
    LogMasks masks = new LogMasks(store, secrets, backends::credentials, clock);
    JobOutputs live = new BackendOutputs(control, masks);
    outputKeeper = new OutputKeeper(control, ledger, store, uploads.store(), live);
    control.lookBeforeDeletions(outputKeeper);
    JobOutputs outputs =
        new KeptOutputs(new ShortMasks(live, masks), masks, ledger, uploads.store());
    Replays replays = new Replays(ledger, control::tenure, opened.keys(), clock);
    routes = routes(backendService, doctor, sender, names, outputs, replays);
    Admission admission = new Admission(access.authenticator(), access.gate(), metrics, replays);
    api =
        new HttpApi(
            routes,
            admission,
            metrics,
            opened.traces(),
            () -> lastTouched.set(System.nanoTime()),
            opened.http().at().proxies(),
            null);
    PassedAnswers passed =
        new PassedAnswers(routes, admission, PassedOutputs.of(ledger, outputs), opened.traces());
    desk =
        ledger
            .inbox()
            .map(inbox -> new InboxDesk(inbox, opened.keys(), control::tenure, passed::answer))
            .orElse(null);
  }

  private List<Route<?, ?>> routes(
      BackendService backendService,
      DoctorService doctor,
      MessageSender sender,
      RunNames names,
      JobOutputs outputs,
      Replays replays) {
    RunService runs =
        new RunService(
            control,
            words,
            store,
            sender,
            names,
            fleets,
            secrets,
            planning,
            clock,
            opened.uploads(),
            catalog,
            opened.runLimits());
    Happenings happenings = Happenings.of(control);
    return Routes.of(
        Routes.reading(
            "ok",
            happenings,
            store,
            new LogService(happenings, outputs, store, metrics::servedLogs),
            fleets),
        runs,
        new OfferService(catalog, control, words, clock),
        backendService,
        new FleetService(control, words, fleets, sender, names, policies),
        new ExplainService(control, opened.ledger(), store, runs, planning, clock),
        new UsageService(control, store),
        new ProgressService(control, store),
        new JobAccess(control, store, sender),
        opened.uploads(),
        access.routes(),
        new SecretService(secrets, sender, opened.keys(), opened.managersMayKeepSecrets()),
        ObservationRoutes.of(
            new Readiness(control, opened.ledger(), clock),
            metrics,
            doctor,
            Opened.openMetrics(opened.configuration())),
        replays);
  }

  ControlPlane control() {
    return control;
  }

  List<Route<?, ?>> routes() {
    return routes;
  }

  AtomicLong lastTouched() {
    return lastTouched;
  }

  HttpListener http() {
    return opened.http();
  }

  /** Sets everything going, and listens at last. */
  void start() throws IOException {
    // What a server before us has not told of the end of a run is told from here on.
    runTraces.start(new LedgerHistory(control, opened.ledger(), store), control.newestEvent());
    control.start();
    backends.claim(control::add);
    outputKeeper.start();
    ensureAccess();
    access.leftRuns().start();
    schedule.start();
    uploadSweep.start();
    retention.start();
    try {
      fileWatch.start();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("the server was stopped while it started");
    }
    opened.http().serve(api);
    if (desk != null) {
      desk.start();
    }
  }

  /** Nobody can be asked for anything before the server's own user and project are there. */
  private void ensureAccess() {
    BerthServer.Settings settings = opened.settings();
    CompletableFuture<Reply> ensured =
        control.send(Envelope.of(new Message.Access.Ensure(settings.user(), settings.project())));
    // An engine that cannot go on would let us wait for ever.
    Object first = CompletableFuture.anyOf(ensured, control.failure()).join();
    if (first instanceof Throwable cause) {
      throw new IllegalStateException("the server cannot start", cause);
    }
  }

  /** Ends everything, in the other order. */
  void close() {
    opened.http().close();
    if (desk != null) {
      desk.close();
    }
    fileWatch.close();
    webhooks.close();
    access.leftRuns().close();
    retention.close();
    uploadSweep.close();
    schedule.close();
    catalog.close();
    outputKeeper.close();
    backends.close();
    control.close();
    runTraces.close();
    plugins.close();
    opened.uploads().store().close();
    opened.ledger().close();
    opened.traces().close();
  }
}
