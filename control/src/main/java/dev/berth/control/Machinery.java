package dev.berth.control;

import dev.berth.control.accounts.Accounts;
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
import dev.berth.model.Candidate;
import dev.berth.model.Instance;
import dev.berth.model.JobRequest;
import dev.berth.model.MachineRequest;
import dev.berth.model.Place;
import dev.berth.model.Resource;
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
import java.util.function.Function;

/**
 * Loop, dispatcher, watches and offers, put together without a thread of their own: whoever calls
 * their steps lends it. {@link Engine} does with threads, the simulation with a clock of its own.
 */
public final class Machinery {
  private static final System.Logger LOG = System.getLogger(Machinery.class.getName());

  private final Surroundings surroundings;
  private final Leaves leaves;
  private final Map<String, Compute> backends;
  private final ActionCalls calls;
  private final Dispatcher dispatcher;
  private final MachineLinks machines;
  private final OfferCache offers;
  private final AtomicLong newestSeq = new AtomicLong();
  private final Lookouts lookouts = new Lookouts(message -> loop().report(message));

  /** Actions that were handed over once more. Safe for any thread. */
  private final Set<String> repeated = ConcurrentHashMap.newKeySet();

  /** Written once, before anything starts. */
  private volatile LastLook lastLook = LastLook.NONE;

  /** Written once, before anything starts. */
  private volatile Office office = Office.KEPT;

  private final Census census;
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
  public record Surroundings(
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
    public Surroundings(
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
  public interface Leaves extends Dispatcher.Leaf, OfferCache.Leaf {
    /**
     * Makes the call of an action with {@link Machinery#call}, and says with {@link
     * Machinery#finished} how it went.
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
  public Machinery(
      Surroundings surroundings, Map<String, Compute> backends, Leaves leaves, Follower follower) {
    this.surroundings = surroundings;
    this.leaves = leaves;
    this.backends = new ConcurrentHashMap<>();
    backends.forEach((name, compute) -> this.backends.put(name, limited(name, compute)));
    InstantSource clock = surroundings.clock();
    this.machines =
        new MachineLinks(
            surroundings.connector(),
            this.backends,
            (backend, message) -> leaves.seen(backend, () -> loop().report(message)));
    this.calls =
        new ActionCalls(
            this.backends,
            machines,
            surroundings.installation(),
            clock,
            surroundings.failPoints(),
            newestSeq::get,
            surroundings.secrets(),
            resourceId -> lastLook.beforeDeletion(resourceId),
            () -> office.awaitHeld());
    this.dispatcher = new Dispatcher(this::handOver, clock);
    this.offers =
        new OfferCache(
            this.backends,
            surroundings.types(),
            this::execution,
            clock,
            leaves,
            () -> loop().report(new Message.OffersChanged()),
            Limits.USUAL);
    this.backends.forEach(this::follow);
    this.census = new Census(surroundings.instruments());
    this.loop =
        new ControlLoop(
            surroundings.ledger(),
            surroundings.tenure(),
            clock,
            surroundings.failPoints(),
            new AfterCommit(
                dispatcher,
                repeated,
                lookouts,
                machines,
                offers,
                clock,
                newestSeq,
                follower,
                census),
            surroundings.rules(),
            offers::view,
            surroundings.instruments());
    String realm = surroundings.tenure().realm();
    surroundings
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
  public List<Part> parts() {
    List<Part> parts = new ArrayList<>();
    parts.add(new Part("loop", loop::next, loop::step));
    parts.add(new Part("dispatcher", dispatcher::next, this::stepDispatcher));
    parts.add(new Part("offers", offers::next, this::stepOffers));
    parts.addAll(lookouts.parts());
    parts.add(machines.part(surroundings.clock()));
    return parts;
  }

  Optional<Lookout> lookout(String backend) {
    return lookouts.find(backend);
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

  Census census() {
    return census;
  }

  /** The backends of which nothing is swept, because the world is newer than the ledger. */
  List<String> unswept() {
    return lookouts.unswept();
  }

  List<MeasuredJob> usage() {
    return lookouts.usage();
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
      surroundings.instruments().silent(action.backend(), action.type());
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
  private Optional<Candidate.Execution> execution(Compute compute) {
    if (compute.runtime().isEmpty()) {
      return surroundings.connector().executionOn(compute);
    }
    return compute.traits().has(Trait.IMAGES)
        ? Optional.of(Candidate.Execution.BACKEND)
        : Optional.empty();
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
    Instant began = surroundings.clock().instant();
    ActionOutcome outcome = calls.call(action, repeated.contains(action.id()));
    surroundings
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
                surroundings.clock().instant()));
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
    lookouts.find(action.backend()).ifPresent(lookout -> lookout.signal(action.resourceId()));
  }

  /** Spares others the same failure for a while. */
  private void remember(Action action, Place place, ActionOutcome.Failed failed) {
    boolean group = action.of() == Resource.Type.PLACEMENT_GROUP;
    if (group && !failed.transientFailure() && failed.lookAfter() == null) {
      offers.failedTogether(place.groupArea(action.backend()));
    } else if (failed.noCapacity() && !group) {
      offers.failed(place.offerKey(action.backend()));
    }
  }

  private static Optional<Place> placeOf(Action action) {
    JobRequest job = action.job();
    MachineRequest machine = action.machine();
    return machine != null
        ? Optional.of(machine.place())
        : Optional.ofNullable(job == null ? null : job.place());
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
        name, compute, surroundings.clock(), leaves.patience(), () -> calls.awaitOffice());
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
    lookouts.tellMachines(name);
    offers.open(name);
  }

  /** Lets go of a backend that may go; whoever gets it closes it. */
  public Optional<Compute> letGo(String name) {
    lookouts.remove(name);
    machines.lookAtAll();
    return Optional.ofNullable(backends.remove(name));
  }

  /** Asks somebody before machines are given back. Called before anything starts. */
  void lookBeforeDeletions(LastLook look) {
    lastLook = look;
  }

  /** Asks somebody before each call that changes something. Called before anything starts. */
  void askBeforeCalls(Office asked) {
    office = asked;
  }

  public Map<String, Compute> backends() {
    return Collections.unmodifiableMap(backends);
  }

  private void follow(String name, Compute compute) {
    lookouts.add(
        new Lookout(
            name,
            compute,
            surroundings,
            newestSeq::get,
            message -> leaves.seen(name, () -> loop().report(message))));
  }

  private void opened(String name, Compute compute) {
    loop.report(new Message.BackendOpened(name));
    try {
      List<Instance> machines = machines(name, compute);
      lookouts.find(name).ifPresent(lookout -> lookout.showed(machines));
      lookouts.tellMachines(name);
    } catch (RuntimeException | LinkageError e) {
      // The others must be able to work.
      LOG.log(System.Logger.Level.ERROR, "The machines of " + name + " could not be seen", e);
    }
  }

  /** The machines of a backend that are there by themselves, which know its type. */
  List<Instance> machines(String name, Compute compute) {
    String type = surroundings.types().apply(name);
    return compute.instances().stream().map(machine -> machine.ofType(type)).toList();
  }
}
