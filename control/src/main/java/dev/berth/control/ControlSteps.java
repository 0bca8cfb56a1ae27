package dev.berth.control;

import dev.berth.control.accounts.Accounts;
import dev.berth.control.accounts.OwnInstances;
import dev.berth.control.offers.Limits;
import dev.berth.control.offers.OfferCache;
import dev.berth.decisions.Message;
import dev.berth.decisions.Reply;
import dev.berth.decisions.Rules;
import dev.berth.decisions.View;
import dev.berth.ledger.Ledger;
import dev.berth.ledger.Tenure;
import dev.berth.model.Action;
import dev.berth.model.ActionOutcome;
import dev.berth.model.Attempt;
import dev.berth.model.Instance;
import dev.berth.model.Place;
import dev.berth.model.ResourceRequest;
import dev.berth.model.ResourceType;
import dev.berth.spi.Compute;
import dev.berth.spi.JobRuntime;
import dev.berth.spi.Owner;
import dev.berth.spi.Trait;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Loop, dispatcher, watches and offers, put together without a thread of their own: whoever calls
 * their steps lends it. {@link ControlPlane} does with threads, the simulation with a clock of its
 * own.
 */
public final class ControlSteps {
  private static final System.Logger LOG = System.getLogger(ControlSteps.class.getName());

  private final Dependencies dependencies;
  private final OutsideCalls leaves;
  private final Map<String, Compute> backends;
  private final ActionCalls calls;
  private final Dispatcher dispatcher;
  private final MachineLinks machines;
  private final OfferCache offers;
  private final AtomicLong newestSeq = new AtomicLong();
  private final BackendMonitors monitors = new BackendMonitors(message -> loop().report(message));

  /** Actions that were handed over once more. Safe for any thread. */
  private final Set<String> repeated = ConcurrentHashMap.newKeySet();

  /** Written once, before anything starts. */
  private volatile ReleaseGate releaseGate = ReleaseGate.NONE;

  /** Written once, before anything starts. */
  private volatile Leadership leadership = Leadership.KEPT;

  private final StateMetrics stateMetrics;
  private final ControlLoop loop;

  /**
   * What a server stands on.
   *
   * @param tenure under which the server writes
   * @param installation whose mark everything carries that is made
   * @param types the type of a backend, by its name
   * @param secrets what jobs are started with besides what is stored of them
   * @param connector connects to the machines on which Berth runs jobs itself
   */
  public record Dependencies(
      Ledger ledger,
      Tenure tenure,
      Owner installation,
      Function<String, String> types,
      InstantSource clock,
      FailPoint.Observer failPoints,
      Rules rules,
      SecretSource secrets,
      Instruments instruments,
      MachineConnector connector) {
    /** A server without secrets, of which nothing is measured. */
    public Dependencies(
        Ledger ledger,
        Tenure tenure,
        Owner installation,
        Function<String, String> types,
        InstantSource clock,
        FailPoint.Observer failPoints,
        Rules rules) {
      this(
          ledger,
          tenure,
          installation,
          types,
          clock,
          failPoints,
          rules,
          SecretSource.NONE,
          Instruments.NONE,
          MachineConnector.NONE);
    }
  }

  /** Where time passes: whoever makes calls and brings word of what was seen. */
  public interface OutsideCalls extends Dispatcher.Leaf, OfferCache.Leaf {
    /**
     * Makes the call of an action with {@link ControlSteps#call}, and says with {@link
     * ControlSteps#finished} how it went.
     */
    @Override
    void carryOut(Action action);

    /** Asks a backend for offers; by default at once. */
    @Override
    default void lookUp(String backend, Runnable call) {
      call.run();
    }

    /** Nobody waits for the call of an action any more. */
    default void abandon(Action action) {}

    /** How long a call to an account may wait for its turn. Not at all where time stands still. */
    default Duration patience() {
      return Duration.ZERO;
    }

    /** Brings word of what was seen at a backend, what was seen first before the rest. */
    default void seen(String backend, Runnable word) {
      word.run();
    }
  }

  /** Who hears what is active after each commit. Called by who steps the loop. */
  public interface Follower {
    void committed(View view, int unfinishedActions, long seq);
  }

  /**
   * Puts the parts together and reads what is there.
   *
   * @param backends those that are open, by name
   */
  public ControlSteps(
      Dependencies dependencies,
      Map<String, Compute> backends,
      OutsideCalls leaves,
      Follower follower) {
    this.dependencies = dependencies;
    this.leaves = leaves;
    this.backends = new ConcurrentHashMap<>();
    backends.forEach((name, compute) -> this.backends.put(name, limited(name, compute)));
    InstantSource clock = dependencies.clock();
    this.machines =
        new MachineLinks(
            dependencies.connector(),
            this.backends,
            this::sweeper,
            clock,
            (backend, message) -> leaves.seen(backend, () -> loop().report(message)));
    this.calls =
        new ActionCalls(
            this.backends,
            machines,
            dependencies.installation(),
            clock,
            dependencies.failPoints(),
            dependencies.secrets(),
            resourceId -> releaseGate.beforeDeletion(resourceId),
            () -> leadership.awaitHeld());
    this.dispatcher = new Dispatcher(this::handOver, clock);
    this.offers =
        new OfferCache(
            this.backends,
            dependencies.types(),
            this::equipment,
            clock,
            leaves,
            () -> loop().report(new Message.OffersChanged()),
            Limits.USUAL);
    this.backends.forEach(this::follow);
    this.stateMetrics = new StateMetrics(dependencies.instruments());
    this.loop =
        new ControlLoop(
            dependencies.ledger(),
            dependencies.tenure(),
            clock,
            dependencies.failPoints(),
            new AfterCommit(
                dispatcher,
                repeated,
                monitors,
                machines,
                offers,
                clock,
                newestSeq,
                follower,
                stateMetrics),
            dependencies.rules(),
            offers::view,
            dependencies.instruments());
    String realm = dependencies.tenure().realm();
    dependencies
        .ledger()
        .whenUnclear(
            where -> {
              if (where.equals(realm)) {
                loop.becameUnclear();
              }
            });
  }

  /** Says which backends are there. Called once, before the first step. */
  public void open() {
    openings().forEach(Runnable::run);
  }

  /** What there is to say of each backend, which asks it: whoever has threads asks all at once. */
  List<Runnable> openings() {
    List<Runnable> openings = new ArrayList<>();
    backends.forEach((name, compute) -> openings.add(() -> opened(name, compute)));
    return openings;
  }

  /** Everything that has steps, in an order that stays the same. */
  public List<ControlStep> parts() {
    List<ControlStep> parts = new ArrayList<>();
    parts.add(new ControlStep("loop", loop::next, loop::step));
    parts.add(new ControlStep("dispatcher", dispatcher::next, this::stepDispatcher));
    parts.add(new ControlStep("offers", offers::next, this::stepOffers));
    parts.addAll(monitors.parts());
    parts.addAll(machines.parts());
    return parts;
  }

  private Sweeper sweeper(
      MachineConnector.Machine machine, Supplier<JobRuntime> jobs, Consumer<Message> report) {
    return new Sweeper(
        Sweeper.Place.on(machine, jobs, () -> monitors.unswept().contains(machine.backend())),
        dependencies.installation(),
        dependencies.ledger(),
        Ledger.MAIN_REALM,
        newestSeq::get,
        report,
        dependencies.instruments(),
        Sweeper.firstOf(machine.id(), dependencies.clock().instant()));
  }

  Optional<BackendMonitor> monitor(String backend) {
    return monitors.find(backend);
  }

  private ControlLoop loop() {
    return loop;
  }

  Tenure tenure() {
    return loop.tenure();
  }

  LoopStatus loopStatus() {
    return loop.status();
  }

  StateMetrics stateMetrics() {
    return stateMetrics;
  }

  /** The backends of which nothing is swept, because the world is newer than the ledger. */
  List<String> unswept() {
    return monitors.unswept();
  }

  List<MeasuredJob> usage() {
    List<MeasuredJob> all = new ArrayList<>(monitors.usage());
    all.addAll(machines.usage());
    return all;
  }

  void awaitLoop(Duration atMost) throws InterruptedException {
    loop.awaitWork(atMost);
  }

  void stepLoop() {
    loop.step();
  }

  /**
   * Hands over all that can be, and gives up what does not come back. For the same thread as the
   * loop's steps.
   */
  void stepDispatcher() {
    for (Action action : dispatcher.giveUp()) {
      LOG.log(System.Logger.Level.WARNING, action.id() + " does not come back and is given up");
      dependencies.instruments().silent(action.backend(), action.type());
      leaves.abandon(action);
      report(action, calls.silent(action));
    }
    while (dispatcher.isReady()) {
      dispatcher.step();
    }
  }

  private void handOver(Action action) {
    if (loop.isUnderWay(action)) {
      leaves.carryOut(action);
    } else {
      dispatcher.finished(action);
    }
  }

  /** Who would run jobs on what a backend sells; empty if nobody can, so that none is bought. */
  private Optional<MachineConnector.Equipment> equipment(Compute compute) {
    if (compute.runtime().isEmpty()) {
      return dependencies.connector().equipmentOn(compute);
    }
    return compute.traits().has(Trait.IMAGES)
        ? Optional.of(dependencies.connector().equipmentByBackend())
        : Optional.empty();
  }

  /** Whether it is known how busy the accelerators of jobs on a backend are. */
  boolean measuresAccelerators(Compute compute) {
    return compute.gpuMetrics().isPresent()
        || (compute.runtime().isEmpty() && dependencies.connector().measuresAccelerators(compute));
  }

  MachineLinks machines() {
    return machines;
  }

  /**
   * Who runs the jobs of an attempt, where it is placed: its backend, or Berth on the machine;
   * empty if the backend was removed, or there is no connection to the machine.
   */
  public Optional<JobRuntime> runtime(Attempt attempt) {
    Compute compute = attempt.backend() == null ? null : backends.get(attempt.backend());
    if (compute == null) {
      return Optional.empty();
    }
    return compute
        .runtime()
        .or(() -> Optional.ofNullable(attempt.instanceId()).flatMap(machines::runtime));
  }

  OfferCache offers() {
    return offers;
  }

  void stepOffers() {
    try {
      offers.step();
    } catch (RuntimeException | LinkageError e) {
      // Whoever asks next is the retry.
      LOG.log(System.Logger.Level.WARNING, "Offers could not be looked up", e);
    }
  }

  /** Sends a message; the reply comes when it is committed. A full mailbox refuses it at once. */
  public CompletableFuture<Reply> send(Envelope envelope) {
    if (!loop.deliver(envelope)) {
      envelope.reply().completeExceptionally(new MailboxFullException());
    }
    return envelope.reply();
  }

  /** Makes the call that an action stands for. Takes as long as the backend's answer. */
  public ActionOutcome call(Action action) {
    Instant began = dependencies.clock().instant();
    ActionOutcome outcome = calls.call(action, repeated.contains(action.id()));
    dependencies
        .instruments()
        .called(
            new Instruments.Call(
                action.backend(),
                action.type(),
                action.of(),
                action.resourceId(),
                action.attempts(),
                Instruments.CallResult.of(outcome),
                began,
                dependencies.clock().instant()));
    return outcome;
  }

  /** An action's call came back; one that was given up before is not heard any more. */
  public void finished(Action action, ActionOutcome outcome) {
    if (dispatcher.answered(action)) {
      report(action, outcome);
    }
  }

  private void report(Action action, ActionOutcome outcome) {
    repeated.remove(action.id());
    if (outcome instanceof ActionOutcome.Failed failed) {
      placeOf(action).ifPresent(place -> remember(action, place, failed));
    }
    Envelope report = Envelope.of(new Message.ActionReported(action.id(), outcome));
    // Not before the report is decided, or lost: until then the action looks as if it waited for it
    // still, and would be handed over once more where a reload put it in line again.
    var _ = report.reply().whenComplete((_, _) -> dispatcher.finished(action));
    loop.report(report);
    // A look right after the call sees ends that came before the watch knew of the job.
    if (action.machineId() != null) {
      machines.signal(action.machineId(), action.resourceId());
    }
    monitors.find(action.backend()).ifPresent(monitor -> monitor.signal(action.resourceId()));
  }

  /** Spares others the same failure for a while. */
  private void remember(Action action, Place place, ActionOutcome.Failed failed) {
    boolean group = action.of() == ResourceType.PLACEMENT_GROUP;
    if (group && !failed.transientFailure() && failed.lookAfter() == null) {
      offers.failedTogether(place.groupArea(action.backend()));
    } else if (failed.noCapacity() && !group) {
      offers.failed(place.offerKey(action.backend()));
    }
  }

  private static Optional<Place> placeOf(Action action) {
    return action
        .request()
        .map(ResourceRequest::place)
        .or(() -> action.job().flatMap(job -> Optional.ofNullable(job.place())));
  }

  /** Takes a backend in. */
  public void add(String name, Compute compute) {
    Compute limited = limited(name, compute);
    if (backends.putIfAbsent(name, limited) != null) {
      throw new IllegalArgumentException("the backend " + name + " is there already");
    }
    follow(name, limited);
    machines.lookAtAll();
    opened(name, limited);
    offers.open(name);
  }

  private Compute limited(String name, Compute compute) {
    return Accounts.limited(
        name,
        compute,
        dependencies.clock(),
        leaves.patience(),
        kind -> dependencies.instruments().asked(name, kind),
        () -> calls.awaitOffice());
  }

  /** Asks whether a backend may go. From now on nothing is bought there. */
  public CompletableFuture<Reply> askToRemove(String name, String actor) {
    // Before it is decided, so that nobody is placed there after it was.
    offers.close(name);
    return send(Envelope.of(new Message.BackendRemoved(name, actor)));
  }

  /** A backend stays, because it may not go or because nobody knows whether it may. */
  public void keep(String name) {
    // Where the removal was kept after all, its machines went with it, and are there again.
    monitors.tellMachines(name);
    offers.open(name);
  }

  /** Lets go of a backend that may go; whoever gets it closes it. */
  public Optional<Compute> letGo(String name) {
    monitors.remove(name);
    Optional<Compute> before = Optional.ofNullable(backends.remove(name));
    // Afterwards, because a commit that comes between would link its machines once more.
    machines.lookAtAll();
    return before;
  }

  /** Asks somebody before machines are given back. Called before anything starts. */
  void lookBeforeDeletions(ReleaseGate look) {
    releaseGate = look;
  }

  /** Asks somebody before each call that changes something. Called before anything starts. */
  void askBeforeCalls(Leadership asked) {
    leadership = asked;
  }

  public Map<String, Compute> backends() {
    return Collections.unmodifiableMap(backends);
  }

  private void follow(String name, Compute compute) {
    monitors.add(
        new BackendMonitor(
            name,
            compute,
            dependencies,
            newestSeq::get,
            message -> leaves.seen(name, () -> loop().report(message))));
  }

  private void opened(String name, Compute compute) {
    loop.report(new Message.BackendOpened(name));
    try {
      List<Instance> machines = machines(name, compute);
      monitors.find(name).ifPresent(monitor -> monitor.showed(machines));
      monitors.tellMachines(name);
    } catch (RuntimeException | LinkageError e) {
      // The others must be able to work.
      LOG.log(System.Logger.Level.ERROR, "The machines of " + name + " could not be seen", e);
    }
  }

  /** The machines of a backend that are there by themselves, which know its type. */
  List<Instance> machines(String name, Compute compute) {
    return OwnInstances.read(name, dependencies.types().apply(name), compute);
  }
}
