package dev.berth.server;

import dev.berth.control.ControlPlane;
import dev.berth.decisions.Message;
import dev.berth.decisions.PlacementPreview;
import dev.berth.decisions.RunLimits;
import dev.berth.decisions.View;
import dev.berth.grammar.Kind;
import dev.berth.model.Container;
import dev.berth.model.Run;
import dev.berth.model.Wishes;
import dev.berth.model.api.FieldChange;
import dev.berth.model.api.FieldProblem;
import dev.berth.model.api.OfferView;
import dev.berth.model.api.PlanView;
import dev.berth.model.api.RunRequest;
import dev.berth.model.api.RunView;
import dev.berth.model.api.StopRequest;
import dev.berth.model.config.RunSettings;
import dev.berth.model.spec.RunSpec;
import dev.berth.planning.Plan;
import dev.berth.planning.Unsupported;
import dev.berth.planning.UnsupportedFields;
import dev.berth.spi.Compute;
import dev.berth.spi.Offers;
import dev.berth.spi.Trait;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the API does with runs: plan, submit, change, stop, delete. */
final class RunService {
  /** The one field that can be changed while a run is active. */
  private static final String PRIORITY = "priority";

  private final ControlPlane control;
  private final BackendWords backends;
  private final Store store;
  private final MessageSender sender;
  private final RunNames names;
  private final FleetStore fleets;
  private final SecretStore secrets;
  private final RunPlanning planning;
  private final InstantSource clock;
  private final Uploads uploads;
  private final CatalogService catalog;
  private final RunLimits limits;

  /** Held from the making of an id until its run is in line. */
  private final ReentrantLock arriving = new ReentrantLock();

  RunService(
      ControlPlane control,
      BackendWords backends,
      Store store,
      MessageSender sender,
      RunNames names,
      FleetStore fleets,
      SecretStore secrets,
      RunPlanning planning,
      InstantSource clock,
      Uploads uploads,
      CatalogService catalog,
      RunLimits limits) {
    this.control = control;
    this.backends = backends;
    this.store = store;
    this.sender = sender;
    this.names = names;
    this.fleets = fleets;
    this.secrets = secrets;
    this.planning = planning;
    this.clock = clock;
    this.uploads = uploads;
    this.catalog = catalog;
    this.limits = limits;
  }

  PlanView plan(Call call, RunRequest request) throws InterruptedException {
    String project = call.path("project");
    PlannedRun planned = planning.plan(project, call.user(), request);
    List<FieldProblem> refusals = refusals(project, planned);
    View places = fleets.places(control.machines());
    PlacementPreview preview =
        PlacementPreview.of(
            places,
            control.offers(PlacementPreview.requirements(places, project, planned.spec())),
            project,
            planned.spec(),
            clock.instant());
    List<OfferView> offers = new ArrayList<>();
    preview.machines().forEach(machine -> offers.add(OfferViews.of(machine)));
    preview.offers().stream()
        .limit(OfferViews.MOST_IN_PLAN)
        .forEach(candidate -> offers.add(OfferViews.of(candidate)));
    offers.sort(Comparator.comparingDouble(OfferView::price));
    CatalogService.Elsewhere elsewhere =
        offers.isEmpty() && refusals.isEmpty()
            ? elsewhere(project, planned.spec())
            : CatalogService.Elsewhere.NOT_LOOKED;
    List<FieldChange> changes =
        active(call, planned).map(run -> changes(run, planned)).orElse(List.of());
    Container container = planned.spec().first().wishes().container();
    return new PlanView(
        planned.name(),
        isOnlyPriority(changes) ? "update" : "submit",
        changes,
        offers,
        refusals,
        planned.policies(),
        preview.inContainers() && container != null ? container.image() : null,
        elsewhere.offers(),
        elsewhere.notes());
  }

  /** Only for what may be bought anywhere: other runs would get no answer that helps. */
  private CatalogService.Elsewhere elsewhere(String project, RunSpec run)
      throws InterruptedException {
    Wishes wishes = run.first().wishes();
    Wishes.Machines machines = wishes.machines();
    boolean anywhere =
        wishes.backends().isEmpty()
            && !machines.buyNothing()
            && machines.fleets().isEmpty()
            && machines.reservation() == null;
    return anywhere ? catalog.elsewhere(project, wishes) : CatalogService.Elsewhere.NOT_LOOKED;
  }

  RunView submit(Call call, RunRequest request) {
    String project = call.path("project");
    PlannedRun planned = planning.plan(project, call.user(), request);
    Run active = active(call, planned).orElse(null);
    if (active != null && isOnlyPriority(changes(active, planned))) {
      return prioritise(call, request, active, planned);
    }
    List<FieldProblem> refusals = refusals(project, planned);
    // Only now: a plan is asked for before files are sent.
    RunSettings run = planned.configuration().run();
    refusals.addAll(uploads.refusals(project, run.files(), run.repos()));
    if (!refusals.isEmpty()) {
      throw ApiException.refused("run", refusals);
    }
    String given = planned.name();
    String name = given == null ? freeName(project) : given;
    MessageSender.Sent sent;
    // Whoever waits does so in the order of ids, which must therefore be the order of arrival.
    arriving.lock();
    try {
      sent = sender.begin(call, submission(call, name, planned), request);
    } finally {
      arriving.unlock();
    }
    return store.view(store.runOfId(sent.await().runId()));
  }

  /** A name of our choice that no active run has; where many are taken, it gets longer. */
  private String freeName(String project) {
    int most = RunNames.USUAL_NUMBERS;
    String name = names.randomName(most);
    while (store.isActive(project, name)) {
      most = (int) Math.min(10L * most, Integer.MAX_VALUE);
      name = names.randomName(most);
    }
    return name;
  }

  @SuppressWarnings("NullAway") // what compact constructors say of null is lost in class files
  private Message.Submit submission(Call call, String name, PlannedRun planned) {
    String project = call.path("project");
    return new Message.Submit(
        names.newRunId(),
        project,
        call.user(),
        name,
        planned.written(),
        planned.spec(),
        new Dependencies(store, project).ids(planned.spec().after()),
        planned.verdict().dryRuns(),
        limits,
        call.trace().traceparent());
  }

  /** The active run of the name that a file gives. */
  private Optional<Run> active(Call call, PlannedRun planned) {
    String name = planned.name();
    return name == null
        ? Optional.empty()
        : store.findRun(call.path("project"), name).filter(Run::active);
  }

  /** What a file says differently from the run that it started. */
  private static List<FieldChange> changes(Run run, PlannedRun planned) {
    Kind kind = Kind.of(run.type()).orElseThrow();
    Map<String, @Nullable Object> before =
        new LinkedHashMap<>(RequestTree.filled(kind, run.configuration(), run.name()));
    before.put(PRIORITY, run.policy().priority());
    return TreeChanges.between(
        before, RequestTree.filled(planned.kind(), planned.written(), planned.name()));
  }

  private static boolean isOnlyPriority(List<FieldChange> changes) {
    return changes.size() == 1 && changes.getFirst().path().equals(PRIORITY);
  }

  private RunView prioritise(Call call, RunRequest request, Run run, PlannedRun planned) {
    int priority = planned.spec().policy().priority();
    sender.send(
        call, new Message.Prioritise(run.project(), run.name(), priority, call.user()), request);
    return store.view(store.run(run.project(), run.id()));
  }

  RunView stop(Call call, StopRequest request) {
    String project = call.path("project");
    Run run = store.run(project, call.path("run"));
    // One that has ended may be that of a repeated request, which its key tells from another one.
    if (run.active() || MessageSender.key(call).isPresent()) {
      try {
        sender.send(
            call, new Message.Stop(project, run.name(), request.abort(), call.user()), request);
      } catch (ApiException e) {
        // It ended while we asked: that is what the user wants.
        if (e.status() != 404) {
          throw e;
        }
      }
    }
    return store.view(store.run(project, run.id()));
  }

  RunView delete(Call call) {
    Run run = store.run(call.path("project"), call.path("run"));
    if (run.active()) {
      throw new ApiException(409, "the run '" + run.name() + "' has not ended; stop it first");
    }
    return sender.delete(
        call, new Message.Delete(run, store.belongings(run), call.user()), store.view(run));
  }

  /** The fields of a run that cannot be honoured, or that a policy does not allow. */
  List<FieldProblem> refusals(String project, PlannedRun planned) {
    RunSettings run = planned.configuration().run();
    UnsupportedFields unsupported = planned.plan().unsupported();
    Wishes wishes = planned.spec().first().wishes();
    List<FieldProblem> found = new ArrayList<>(planned.refusals());
    found.addAll(backends.unknown(project, wishes.backends()));
    Map<String, Compute> allowed = new TreeMap<>(control.backends());
    allowed.keySet().removeIf(name -> !wishes.allow(name, backends.typeOf(name)));
    List<Compute> engines =
        allowed.values().stream().filter(compute -> compute.traits().has(Trait.IMAGES)).toList();
    boolean onMachines =
        allowed.values().stream()
            .anyMatch(compute -> compute.offers() instanceof Offers.OwnMachines);
    boolean ownEngines =
        engines.stream().allMatch(compute -> compute.offers() instanceof Offers.OwnMachines);
    List<Unsupported> there =
        onMachines && engines.isEmpty()
            ? unsupported.onHosts()
            : onMachines && ownEngines ? unsupported.onEngines() : unsupported.inContainers();
    Stream.concat(unsupported.anywhere().stream(), there.stream())
        .forEach(field -> found.add(new FieldProblem(field.path(), field.message())));
    if (planned.spec().nodes().stream().anyMatch(node -> node.spec().utilization() != null)
        && allowed.values().stream().noneMatch(control::measuresAccelerators)) {
      found.add(
          new FieldProblem(
              "utilization_policy",
              "none of the backends that this run may use reports GPU utilization; remove the"
                  + " policy, or allow a backend that does"));
    }
    boolean changes = run.repos().stream().anyMatch(one -> one.changes() != null);
    if ((changes || !run.files().isEmpty())
        && !allowed.isEmpty()
        && allowed.values().stream().noneMatch(compute -> compute.traits().has(Trait.FILES))) {
      found.add(
          new FieldProblem(
              changes ? "repos[0].changes" : "files",
              "none of the backends that this run may use supports files; remove them, or allow a"
                  + " backend that does"));
    }
    found.addAll(FileTargets.refusals(run.files()));
    found.addAll(unknownFleets(project, wishes.machines().fleets()));
    found.addAll(missingSecrets(project, planned.plan().secrets()));
    found.addAll(new Dependencies(store, project).refusals(planned.spec().after()));
    return found;
  }

  private List<FieldProblem> missingSecrets(String project, List<Plan.NamedSecret> named) {
    return named.stream()
        .filter(one -> secrets.find(project, one.name()).isEmpty())
        .map(
            one ->
                new FieldProblem(
                    one.path(),
                    "there is no secret '"
                        + one.name()
                        + "' in the project; save it with: berth secret set "
                        + one.name()))
        .toList();
  }

  private List<FieldProblem> unknownFleets(String project, List<String> named) {
    return named.stream()
        .filter(fleet -> fleets.findOwn(project, fleet).isEmpty())
        .map(
            fleet ->
                new FieldProblem(
                    "fleets",
                    "there is no fleet '" + fleet + "'; list them with: berth fleet list"))
        .toList();
  }
}
