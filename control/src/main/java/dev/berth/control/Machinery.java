package dev.berth.control;

import dev.berth.decisions.Market;
import dev.berth.decisions.Message;
import dev.berth.decisions.Reply;
import dev.berth.decisions.Rules;
import dev.berth.decisions.View;
import dev.berth.ledger.Ledger;
import dev.berth.model.Action;
import dev.berth.model.ActionOutcome;
import dev.berth.model.Attempt;
import dev.berth.model.Entity;
import dev.berth.model.Fleet;
import dev.berth.model.Instance;
import dev.berth.model.JobRequest;
import dev.berth.model.MachineRequest;
import dev.berth.model.Place;
import dev.berth.model.Placement;
import dev.berth.model.Resource;
import dev.berth.spi.Compute;
import dev.berth.spi.Offers;
import dev.berth.spi.Owner;
import dev.berth.spi.Provisioner;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Loop, dispatcher, watches and market, put together without a thread of their own: whoever calls
 * their steps lends it. {@link Engine} does with threads, the simulation with a clock of its own.
 */
public final class Machinery {
  private static final System.Logger LOG = System.getLogger(Machinery.class.getName());

  private static final String REALM = "main";

  private final Surroundings surroundings;
  private final Leaves leaves;
  private final Follower follower;
  private final Map<String, Compute> backends;
  private final ActionCalls calls;
  private final Dispatcher dispatcher;
  private final MarketWatch market;
  private final AtomicLong newestSeq = new AtomicLong();

  /** Actions that were handed over once more. Safe for any thread. */
  private final Set<String> repeated = ConcurrentHashMap.newKeySet();

  private final ControlLoop loop;

  /** What else is looked at of each backend. As the watches. */
  private final Map<String, Account> accounts = new ConcurrentHashMap<>();

  /** Who follows the jobs of each backend. Written by who adds and removes; read by any thread. */
  private final Map<String, Watches> watches = new ConcurrentHashMap<>();

  /** Who looks how busy the accelerators of each backend are. As the watches. */
  private final Map<String, GpuWatch> gpuWatches = new ConcurrentHashMap<>();

  /** Whether somebody must be told all that there is: a new watch, or all after a reload. */
  private final AtomicBoolean followAll = new AtomicBoolean();

  /** The machines that each backend showed when it was opened. As the watches. */
  private final Map<String, List<Instance>> machines = new ConcurrentHashMap<>();

  /**
   * What a server stands on.
   *
   * @param owner who the server is, for people to read
   * @param installation whose mark everything carries that is made
   * @param types the type of a backend, by its name
   */
  public record Surroundings(
      Ledger ledger,
      String owner,
      Owner installation,
      Function<String, String> types,
      InstantSource clock,
      FailPoint.Observer failPoints,
      Rules rules) {}

  /** Where time passes: whoever makes calls and brings word of what was seen. */
  public interface Leaves extends Dispatcher.Leaf {
    /**
     * Makes the call of an action with {@link Machinery#call}, and says with {@link
     * Machinery#finished} how it went.
     */
    @Override
    void carryOut(Action action);

    /** Nobody waits for the call of an action any more. */
    default void abandon(Action action) {}

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
   * Puts the parts together, takes the realm over and reads what is there.
   *
   * @param backends those that are open, by name
   */
  public Machinery(
      Surroundings surroundings, Map<String, Compute> backends, Leaves leaves, Follower follower) {
    this.surroundings = surroundings;
    this.leaves = leaves;
    this.follower = follower;
    this.backends = new ConcurrentHashMap<>(backends);
    InstantSource clock = surroundings.clock();
    this.calls =
        new ActionCalls(
            this.backends,
            surroundings.installation(),
            clock,
            surroundings.failPoints(),
            newestSeq::get);
    this.dispatcher = new Dispatcher(this::handOver, clock);
    this.market =
        new MarketWatch(
            this.backends,
            surroundings.types(),
            clock,
            () -> loop().report(new Message.OffersChanged()));
    backends.forEach(this::follow);
    this.loop =
        new ControlLoop(
            surroundings.ledger(),
            REALM,
            surroundings.owner(),
            clock,
            surroundings.failPoints(),
            new Hand(),
            surroundings.rules(),
            market::market);
  }

  /** Says which backends are there. Called once, before the first step. */
  public void open() {
    backends.forEach(this::opened);
    market.ring();
  }

  /** Everything that has steps, in an order that stays the same. */
  public List<Part> parts() {
    List<Part> parts = new ArrayList<>();
    parts.add(new Part("loop", loop::next, loop::step));
    parts.add(new Part("dispatcher", dispatcher::next, this::stepDispatcher));
    parts.add(new Part("market", market::next, this::stepMarket));
    watches.keySet().stream()
        .sorted()
        .forEach(
            name -> {
              Watches mine = watches.get(name);
              if (mine != null) {
                parts.add(new Part("watches of " + name, mine::next, () -> step(mine)));
              }
            });
    accounts.keySet().stream()
        .sorted()
        .forEach(
            name -> {
              Account account = accounts.get(name);
              if (account != null) {
                parts.add(
                    new Part(
                        "things of " + name,
                        account::next,
                        () -> account.step(surroundings.clock().instant())));
              }
            });
    gpuWatches.keySet().stream()
        .sorted()
        .forEach(
            name -> {
              GpuWatch mine = gpuWatches.get(name);
              if (mine != null) {
                parts.add(new Part("accelerators of " + name, mine::next, () -> step(mine)));
              }
            });
    return parts;
  }

  Optional<Account> account(String backend) {
    return Optional.ofNullable(accounts.get(backend));
  }

  private ControlLoop loop() {
    return loop;
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

  MarketWatch market() {
    return market;
  }

  void stepMarket() {
    try {
      market.step();
    } catch (RuntimeException | LinkageError e) {
      // The next ring is the retry.
      LOG.log(System.Logger.Level.WARNING, "The market could not be looked at", e);
    }
  }

  Optional<Watches> watches(String backend) {
    return Optional.ofNullable(watches.get(backend));
  }

  void step(Watches mine) {
    try {
      mine.step(surroundings.clock().instant());
    } catch (RuntimeException | LinkageError e) {
      // The next look in a few seconds is the retry.
      LOG.log(System.Logger.Level.WARNING, "The jobs of a backend could not be looked at", e);
    }
  }

  Optional<GpuWatch> gpuWatch(String backend) {
    return Optional.ofNullable(gpuWatches.get(backend));
  }

  void step(GpuWatch mine) {
    try {
      mine.step();
    } catch (RuntimeException | LinkageError e) {
      // The next look in a few seconds is the retry.
      LOG.log(System.Logger.Level.WARNING, "The accelerators of a backend were not seen", e);
    }
  }

  /** Sends a message; the reply comes when it is committed. A full mailbox refuses it at once. */
  public CompletableFuture<Reply> send(Envelope envelope) {
    if (market.isOpen() && envelope.message() instanceof Message.Submit) {
      // Whoever comes now is not turned away because of what was sold out before.
      market.ring();
    }
    if (!loop.deliver(envelope)) {
      envelope.reply().completeExceptionally(new MailboxFullException());
    }
    return envelope.reply();
  }

  /** Makes the call that an action stands for. Takes as long as the backend's answer. */
  public ActionOutcome call(Action action) {
    return calls.call(action, repeated.contains(action.id()));
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
    watches(action.backend()).ifPresent(mine -> mine.signal(action.resourceId()));
  }

  /** Spares others the same failure for a while. */
  private void remember(Action action, Place place, ActionOutcome.Failed failed) {
    boolean group = action.of() == Resource.Type.PLACEMENT_GROUP;
    if (group && !failed.transientFailure() && failed.lookAfter() == null) {
      market.failedTogether(place.groupArea(action.backend()));
    } else if (failed.noCapacity() && !group) {
      market.failed(place.key(action.backend()));
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
    if (backends.putIfAbsent(name, compute) != null) {
      throw new IllegalArgumentException("the backend " + name + " is there already");
    }
    follow(name, compute);
    opened(name, compute);
    market.open(name);
  }

  /** Asks whether a backend may go. From now on nothing is bought there. */
  public CompletableFuture<Reply> askToRemove(String name, String actor) {
    // Before it is decided, so that nobody is placed there after it was.
    market.close(name);
    return send(Envelope.of(new Message.BackendRemoved(name, actor)));
  }

  /** A backend stays, because it may not go or because nobody knows whether it may. */
  public void keep(String name) {
    // Where the removal was kept after all, its machines went with it, and are there again.
    tellMachines(name);
    market.open(name);
  }

  /** Lets go of a backend that may go; whoever gets it closes it. */
  public Optional<Compute> letGo(String name) {
    watches.remove(name);
    accounts.remove(name);
    gpuWatches.remove(name);
    machines.remove(name);
    return Optional.ofNullable(backends.remove(name));
  }

  public Map<String, Compute> backends() {
    return Collections.unmodifiableMap(backends);
  }

  private void follow(String name, Compute compute) {
    compute
        .runtime()
        .ifPresent(
            runtime ->
                watches.put(
                    name,
                    new Watches(
                        name,
                        runtime,
                        (attemptId, observation) ->
                            leaves.seen(
                                name,
                                () -> loop().report(new Message.Observed(attemptId, observation))),
                        attemptId ->
                            leaves.seen(
                                name, () -> loop().report(new Message.Unseen(attemptId))))));
    compute
        .gpuMetrics()
        .ifPresent(
            metrics ->
                gpuWatches.put(
                    name,
                    new GpuWatch(
                        name,
                        metrics,
                        surroundings.clock(),
                        attemptId ->
                            leaves.seen(
                                name, () -> loop().report(new Message.Underused(attemptId))))));
    Provisioner provisioner = compute.provisioner().orElse(null);
    if (provisioner == null && compute.offers() instanceof Offers.OwnMachines) {
      // Nothing is bought there that could be left behind.
      followAll.set(true);
      return;
    }
    accounts.put(name, new Account(name, things(name, provisioner), sweeper(name, compute)));
    followAll.set(true);
  }

  private ThingWatches things(String name, @Nullable Provisioner provisioner) {
    return new ThingWatches(
        name,
        provisioner,
        (key, sight) -> leaves.seen(name, () -> loop().report(new Message.Sighted(key, sight))));
  }

  private Sweeper sweeper(String name, Compute compute) {
    return new Sweeper(
        name,
        compute,
        surroundings.installation(),
        surroundings.ledger(),
        REALM,
        newestSeq::get,
        message -> leaves.seen(name, () -> loop().report(message)),
        surroundings.clock().instant().plus(Sweeper.FIRST_AFTER));
  }

  private void opened(String name, Compute compute) {
    loop.report(new Message.BackendOpened(name));
    try {
      machines.put(name, List.copyOf(compute.instances()));
      tellMachines(name);
    } catch (RuntimeException | LinkageError e) {
      // The others must be able to work.
      LOG.log(System.Logger.Level.ERROR, "The machines of " + name + " could not be seen", e);
    }
  }

  private void tellMachines(String name) {
    machines
        .getOrDefault(name, List.of())
        .forEach(machine -> loop.report(new Message.InstanceFound(machine)));
  }

  /** What follows from a commit. */
  private final class Hand implements ControlLoop.Listener {
    /** The placements that look for a place. Only the thread that steps the loop touches it. */
    private final Set<String> searching = new HashSet<>();

    /** When fleets look for machines. As the placements. */
    private final Map<String, Instant> fleetsDue = new HashMap<>();

    /** The attempts that have changed since they were followed. As the placements. */
    private final List<Attempt> attempts = new ArrayList<>();

    /** Whether what is no job has changed since it was followed. As the placements. */
    private boolean thingsChanged;

    @Override
    public void handOver(Collection<Action> actions, boolean again) {
      if (again) {
        actions.forEach(action -> repeated.add(action.id()));
      }
      dispatcher.accept(actions);
    }

    @Override
    public void reloaded() {
      watches.values().forEach(Watches::forget);
      accounts.values().forEach(account -> account.things().forget());
      // That they are there may have been in the commit that was lost.
      machines.keySet().stream().sorted().forEach(Machinery.this::tellMachines);
    }

    @Override
    public void loaded(View view) {
      searching.clear();
      view.active(Placement.class).forEach(this::note);
      fleetsDue.clear();
      view.active(Fleet.class).forEach(this::note);
      followAll.set(true);
    }

    @Override
    public void changed(Collection<Entity> written, Collection<Entity> deleted) {
      for (Entity entity : written) {
        if (entity instanceof Resource resource) {
          watches.values().forEach(mine -> mine.follow(resource));
          thingsChanged |= resource.type() != Resource.Type.JOB;
        } else if (entity instanceof Placement placement) {
          note(placement);
        } else if (entity instanceof Fleet fleet) {
          note(fleet);
        } else if (entity instanceof Attempt attempt && !gpuWatches.isEmpty()) {
          attempts.add(attempt);
        }
      }
      for (Entity entity : deleted) {
        if (entity instanceof Resource resource) {
          watches.values().forEach(mine -> mine.unfollow(resource));
          thingsChanged |= resource.type() != Resource.Type.JOB;
        } else if (entity instanceof Placement placement) {
          searching.remove(placement.id());
        } else if (entity instanceof Fleet fleet) {
          fleetsDue.remove(fleet.id());
        }
      }
    }

    private void note(Placement placement) {
      if (placement.phase() == Placement.State.RESERVING) {
        searching.add(placement.id());
      } else {
        searching.remove(placement.id());
      }
    }

    private void note(Fleet fleet) {
      Instant due = fleet.active() ? fleet.due() : null;
      if (due == null) {
        fleetsDue.remove(fleet.id());
      } else {
        fleetsDue.put(fleet.id(), due);
      }
    }

    /** Whether somebody waits for an offer: a replica in line, or a fleet whose time has come. */
    private boolean isAnyoneBuying() {
      Instant now = surroundings.clock().instant();
      return !searching.isEmpty() || fleetsDue.values().stream().anyMatch(due -> !due.isAfter(now));
    }

    @Override
    public void committed(View view, int unfinished, long newest) {
      newestSeq.set(newest);
      if (followAll.getAndSet(false)) {
        watches.values().forEach(mine -> mine.follow(view));
        gpuWatches.values().forEach(mine -> mine.follow(view));
        attempts.clear();
        thingsChanged = true;
      }
      for (Attempt attempt : attempts) {
        gpuWatches.values().forEach(mine -> mine.follow(attempt, view));
      }
      attempts.clear();
      if (thingsChanged) {
        accounts.values().forEach(account -> account.things().follow(view));
        thingsChanged = false;
      }
      if (market.isOpen() && isAnyoneBuying()) {
        market.ring();
      }
      follower.committed(view, unfinished, newest);
    }
  }

  /** What can be bought now, or was known before where nobody answers so soon. */
  Market market(Duration atMost) throws InterruptedException {
    return market.await(atMost);
  }
}
