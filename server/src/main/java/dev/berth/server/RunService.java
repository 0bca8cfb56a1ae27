package dev.berth.server;

import dev.berth.control.Engine;
import dev.berth.decisions.JobPlanner;
import dev.berth.decisions.Message;
import dev.berth.decisions.Prospects;
import dev.berth.decisions.RunLimits;
import dev.berth.decisions.Shopping;
import dev.berth.decisions.View;
import dev.berth.grammar.Kind;
import dev.berth.model.Run;
import dev.berth.model.Wishes;
import dev.berth.model.api.FieldChange;
import dev.berth.model.api.FieldProblem;
import dev.berth.model.api.OfferView;
import dev.berth.model.api.PlanView;
import dev.berth.model.api.RunRequest;
import dev.berth.model.api.RunView;
import dev.berth.model.api.StopRequest;
import dev.berth.model.config.TaskConfiguration;
import dev.berth.spi.Compute;
import dev.berth.spi.Offers;
import dev.berth.spi.Trait;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the API does with runs: plan, submit, change, stop, delete. */
final class RunService {
  /** The one field that can be changed while a run is active. */
  private static final String PRIORITY = "priority";

  private final Engine engine;
  private final BackendWords backends;
  private final Store store;
  private final MessageSender sender;
  private final RunNames names;
  private final FleetStore fleets;
  private final SecretStore secrets;
  private final PolicyBook policies;
  private final DefaultImages images;
  private final InstantSource clock;
  private final Uploads uploads;
  private final CatalogService catalog;
  private final RunLimits limits;

  /** Held from the making of an id until its run is in line. */
  private final ReentrantLock arriving = new ReentrantLock();

  RunService(
      Engine engine,
      BackendWords backends,
      Store store,
      MessageSender sender,
      RunNames names,
      FleetStore fleets,
      SecretStore secrets,
      PolicyBook policies,
      DefaultImages images,
      InstantSource clock,
      Uploads uploads,
      CatalogService catalog,
      RunLimits limits) {
    this.engine = engine;
    this.backends = backends;
    this.store = store;
    this.sender = sender;
    this.names = names;
    this.fleets = fleets;
    this.secrets = secrets;
    this.policies = policies;
    this.images = images;
    this.clock = clock;
    this.uploads = uploads;
    this.catalog = catalog;
    this.limits = limits;
  }

  PlanView plan(Call call, RunRequest request) throws InterruptedException {
    PolicyBook.Judged<TaskConfiguration> judged =
        policies.judge(call.path("project"), call.user(), request);
    TaskConfiguration task = judged.filled();
    List<FieldProblem> refusals = refusals(call.path("project"), judged);
    String name = task.run().name();
    Message.Submit submission =
        submission(call, name == null ? names.randomName(RunNames.USUAL_NUMBERS) : name, judged);
    View places = fleets.places(engine.machines());
    Prospects prospects =
        Prospects.of(
            places,
            engine.offers(Prospects.requirements(places, submission)),
            submission,
            clock.instant());
    List<OfferView> offers = new ArrayList<>();
    prospects.machines().forEach(machine -> offers.add(OfferViews.of(machine)));
    prospects.offers().stream()
        .limit(OfferViews.MOST_IN_PLAN)
        .forEach(candidate -> offers.add(OfferViews.of(candidate)));
    offers.sort(Comparator.comparingDouble(OfferView::price));
    CatalogService.Elsewhere elsewhere =
        offers.isEmpty() && refusals.isEmpty()
            ? elsewhere(call.path("project"), judged)
            : CatalogService.Elsewhere.NOT_LOOKED;
    List<FieldChange> changes =
        active(call, task).map(run -> changes(run, judged)).orElse(List.of());
    return new PlanView(
        name,
        isOnlyPriority(changes) ? "update" : "submit",
        changes,
        offers,
        refusals,
        judged.views(),
        prospects.inContainers() ? images.now().of(task.run()) : null,
        elsewhere.offers(),
        elsewhere.notes());
  }

  /** Only for what may be bought anywhere: other runs would get no answer that helps. */
  private CatalogService.Elsewhere elsewhere(
      String project, PolicyBook.Judged<TaskConfiguration> judged) throws InterruptedException {
    Wishes wishes = Shopping.wishes(judged.filled()).within(judged.verdict().bounds()).in(project);
    Wishes.Machines machines = wishes.machines();
    boolean anywhere =
        wishes.backends().isEmpty()
            && !machines.buyNothing()
            && machines.fleets().isEmpty()
            && machines.reservation() == null;
    return anywhere ? catalog.elsewhere(project, wishes) : CatalogService.Elsewhere.NOT_LOOKED;
  }

  RunView submit(Call call, RunRequest request) {
    PolicyBook.Judged<TaskConfiguration> judged =
        policies.judge(call.path("project"), call.user(), request);
    TaskConfiguration task = judged.filled();
    Run active = active(call, task).orElse(null);
    if (active != null && isOnlyPriority(changes(active, judged))) {
      return prioritise(call, request, active, task);
    }
    List<FieldProblem> refusals = refusals(call.path("project"), judged);
    // Only now: a plan is asked for before files are sent.
    refusals.addAll(uploads.refusals(call.path("project"), task.run().files(), task.run().repos()));
    if (!refusals.isEmpty()) {
      throw ApiException.refused("run", refusals);
    }
    String given = task.run().name();
    String name = given == null ? freeName(call.path("project")) : given;
    MessageSender.Sent sent;
    // Whoever waits does so in the order of ids, which must therefore be the order of arrival.
    arriving.lock();
    try {
      sent = sender.begin(call, submission(call, name, judged), request);
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
  private Message.Submit submission(
      Call call, String name, PolicyBook.Judged<TaskConfiguration> judged) {
    String project = call.path("project");
    return new Message.Submit(
        names.newRunId(),
        project,
        call.user(),
        name,
        judged.written(),
        judged.filled(),
        1,
        new Dependencies(store, project).ids(judged.filled()),
        judged.verdict().policing(),
        images.now(),
        limits,
        call.trace().traceparent());
  }

  /** The active run of the name that a file gives. */
  private Optional<Run> active(Call call, TaskConfiguration task) {
    String name = task.run().name();
    return name == null
        ? Optional.empty()
        : store.findRun(call.path("project"), name).filter(Run::active);
  }

  /** What a file says differently from the run that it started. */
  private static List<FieldChange> changes(Run run, PolicyBook.Judged<TaskConfiguration> judged) {
    Map<String, @Nullable Object> before =
        new LinkedHashMap<>(RequestTree.filled(Kind.TASK, run.configuration(), run.name()));
    before.put(PRIORITY, run.policy().priority());
    return TreeChanges.between(
        before, RequestTree.filled(Kind.TASK, judged.written(), judged.filled().run().name()));
  }

  private static boolean isOnlyPriority(List<FieldChange> changes) {
    return changes.size() == 1 && changes.getFirst().path().equals(PRIORITY);
  }

  private RunView prioritise(Call call, RunRequest request, Run run, TaskConfiguration task) {
    int priority = Objects.requireNonNullElse(task.run().priority(), 0);
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

  /** The fields of a task that cannot be honoured, or that a policy does not allow. */
  List<FieldProblem> refusals(String project, PolicyBook.Judged<TaskConfiguration> judged) {
    TaskConfiguration task = judged.filled();
    Wishes wishes = Shopping.wishes(task).within(judged.verdict().bounds()).in(project);
    List<FieldProblem> found = new ArrayList<>(judged.refusals());
    found.addAll(backends.unknown(project, wishes.backends()));
    Map<String, Compute> allowed = new TreeMap<>(engine.backends());
    allowed.keySet().removeIf(name -> !wishes.allow(name, backends.typeOf(name)));
    List<Compute> engines =
        allowed.values().stream().filter(compute -> compute.traits().has(Trait.IMAGES)).toList();
    boolean onMachines =
        allowed.values().stream()
            .anyMatch(compute -> compute.offers() instanceof Offers.OwnMachines);
    boolean ownEngines =
        engines.stream().allMatch(compute -> compute.offers() instanceof Offers.OwnMachines);
    Stream.concat(
            JobPlanner.unsupportedYet(task).stream(),
            (onMachines && engines.isEmpty()
                    ? JobPlanner.unsupportedOnHosts(task)
                    : JobPlanner.unsupportedInContainersYet(task, ownEngines && onMachines))
                .stream())
        .forEach(
            unsupported -> found.add(new FieldProblem(unsupported.path(), unsupported.message())));
    if (task.profile().utilizationPolicy() != null
        && JobPlanner.asksForGpus(task)
        && allowed.values().stream().noneMatch(compute -> compute.gpuMetrics().isPresent())) {
      found.add(
          new FieldProblem(
              JobPlanner.UTILIZATION_POLICY,
              "none of the backends that this run may use reports GPU utilization; remove the"
                  + " policy, or allow a backend that does"));
    }
    boolean changes = task.run().repos().stream().anyMatch(one -> one.changes() != null);
    if ((changes || !task.run().files().isEmpty())
        && !allowed.isEmpty()
        && allowed.values().stream().noneMatch(compute -> compute.traits().has(Trait.FILES))) {
      found.add(
          new FieldProblem(
              changes ? "repos[0].changes" : "files",
              "none of the backends that this run may use supports files; remove them, or allow a"
                  + " backend that does"));
    }
    found.addAll(FileTargets.refusals(task.run().files()));
    found.addAll(unknownFleets(project, wishes.machines().fleets()));
    found.addAll(missingSecrets(project, task));
    found.addAll(new Dependencies(store, project).refusals(task));
    return found;
  }

  private List<FieldProblem> missingSecrets(String project, TaskConfiguration task) {
    return JobPlanner.secrets(task).stream()
        .filter(named -> secrets.find(project, named.name()).isEmpty())
        .map(
            named ->
                new FieldProblem(
                    named.path(),
                    "there is no secret '"
                        + named.name()
                        + "' in the project; save it with: berth secret set "
                        + named.name()))
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
