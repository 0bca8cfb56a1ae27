package dev.berth.control;

import dev.berth.control.offers.CatalogSource;
import dev.berth.control.offers.OfferListing;
import dev.berth.decisions.Decisions;
import dev.berth.decisions.OfferRequirement;
import dev.berth.decisions.OfferView;
import dev.berth.decisions.Reply;
import dev.berth.decisions.View;
import dev.berth.ledger.Ledger;
import dev.berth.ledger.LedgerException;
import dev.berth.ledger.Tenure;
import dev.berth.model.Action;
import dev.berth.model.Attempt;
import dev.berth.model.Fleet;
import dev.berth.model.Instance;
import dev.berth.model.ResourceType;
import dev.berth.model.Run;
import dev.berth.spi.Compute;
import dev.berth.spi.JobRuntime;
import dev.berth.spi.Owner;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * Gives the control plane its threads: one for the loop, one for offers, one for each backend's
 * watches, and a virtual one for each call.
 */
public final class ControlPlane implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(ControlPlane.class.getName());
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

  /** How long the start waits for the machines of backends. */
  private static final Duration OPEN_WITHIN = Duration.ofSeconds(3);

  /** How long a call waits for its turn at an account before it is put off. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** How long a person who asks what can be bought waits for providers. */
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(5);

  private final ControlSteps steps;
  private final InstantSource clock;

  /** Who follows the jobs of each backend. */
  private final Map<String, BackendThreads> followings = new ConcurrentHashMap<>();

  private final Thread loopThread =
      Thread.ofPlatform().name("berth-loop").daemon().unstarted(this::runLoop);
  private final Thread offersThread =
      Thread.ofPlatform().name("berth-offers").daemon().unstarted(this::runOffers);
  private final Lease lease;
  private final Ledger ledger;
  private final CompletableFuture<Throwable> failure = new CompletableFuture<>();
  private final AtomicLong seq = new AtomicLong();
  private final ReentrantLock seqLock = new ReentrantLock();
  private final Condition seqAdvanced = seqLock.newCondition();
  private volatile boolean closing;

  /**
   * A count of what is alive, for whoever decides whether the server may go to sleep. Written by
   * the loop's thread.
   */
  private volatile int activeRuns;

  private volatile int unfinishedActions;

  /** Machines that cost money, and fleets that shall get some. */
  private volatile int machinesAtWork;

  /**
   * Puts the parts together; {@link #start} sets them going.
   *
   * @param tenure under which it writes
   * @param installation whose mark everything carries that is made
   * @param backends those that are open, by name
   * @param types the type of a backend, by its name
   * @param secrets what jobs are started with besides what is stored of them
   * @param connector connects to the machines on which Berth runs jobs itself
   */
  public ControlPlane(
      Ledger ledger,
      Tenure tenure,
      Owner installation,
      Map<String, Compute> backends,
      Function<String, String> types,
      InstantSource clock,
      FailPoint.Observer failPoints,
      SecretSource secrets,
      Instruments instruments,
      MachineConnector connector) {
    this.clock = clock;
    this.ledger = ledger;
    this.steps =
        new ControlSteps(
            new ControlSteps.Dependencies(
                ledger,
                tenure,
                installation,
                types,
                clock,
                failPoints,
                Decisions.RULES,
                secrets,
                instruments,
                connector),
            backends,
            new Calls(),
            this::committed);
    this.lease = new Lease(ledger, steps::tenure, clock, System::nanoTime, failure::complete);
    if (ledger.isShared()) {
      steps.askBeforeCalls(lease);
    }
    backends.keySet().forEach(this::follow);
  }

  /** One whose jobs have no secrets, and of which nothing is measured. */
  public ControlPlane(
      Ledger ledger,
      Tenure tenure,
      Owner installation,
      Map<String, Compute> backends,
      Function<String, String> types,
      InstantSource clock,
      FailPoint.Observer failPoints) {
    this(
        ledger,
        tenure,
        installation,
        backends,
        types,
        clock,
        failPoints,
        SecretSource.NONE,
        Instruments.NONE,
        MachineConnector.NONE);
  }

  /** Asks somebody before machines are given back. To be called before {@link #start}. */
  public void lookBeforeDeletions(ReleaseGate look) {
    steps.lookBeforeDeletions(look);
  }

  public void start() {
    openAll();
    followings.values().forEach(BackendThreads::start);
    steps.machines().driveBy(new MachineThreads(clock));
    if (ledger.isShared()) {
      // First, because calls wait for a sign of life to be accepted.
      lease.start();
    }
    loopThread.start();
    offersThread.start();
  }

  /** Asks all backends at once for their machines; one that takes long delays nobody. */
  private void openAll() {
    CompletableFuture<?>[] openings =
        steps.openings().stream()
            .map(
                opening ->
                    CompletableFuture.runAsync(
                        opening, task -> Thread.ofVirtual().name("berth-opening").start(task)))
            .toArray(CompletableFuture[]::new);
    CompletableFuture.allOf(openings)
        .completeOnTimeout(null, OPEN_WITHIN.toMillis(), TimeUnit.MILLISECONDS)
        .join();
  }

  /** Takes a backend in while the engine runs. */
  public void add(String name, Compute compute) {
    steps.add(name, compute);
    follow(name);
    BackendThreads following = followings.get(name);
    if (following != null) {
      following.start();
    }
  }

  /**
   * Goes on with an open backend by other settings. What is under way there meanwhile is looked up
   * by the new ones.
   */
  public void replace(String name, Compute compute) {
    BackendThreads following = followings.remove(name);
    if (following != null) {
      following.end();
    }
    Optional<Compute> before = steps.letGo(name);
    add(name, compute);
    before.ifPresent(old -> close(name, old));
  }

  private void follow(String name) {
    steps
        .monitor(name)
        .ifPresent(monitor -> followings.put(name, new BackendThreads(monitor, clock)));
  }

  /**
   * Lets go of a backend, unless something of ours is there.
   *
   * @return the refusal, or empty when it is closed
   */
  public Optional<Reply.Refused> remove(String name, String actor) throws InterruptedException {
    try {
      if (steps.askToRemove(name, actor).get() instanceof Reply.Refused refused) {
        steps.keep(name);
        return Optional.of(refused);
      }
    } catch (ExecutionException e) {
      steps.keep(name);
      throw new IllegalStateException("the removal could not be decided", e.getCause());
    }
    BackendThreads following = followings.remove(name);
    if (following != null) {
      following.end();
    }
    steps.letGo(name).ifPresent(compute -> close(name, compute));
    return Optional.empty();
  }

  private static void close(String name, Compute compute) {
    try {
      compute.close();
    } catch (RuntimeException | LinkageError e) {
      // It is let go of either way.
      LOG.log(System.Logger.Level.WARNING, name + " could not be closed", e);
    }
  }

  /** The tenure under which it writes now; after an unclear commit it is a new one. */
  public Tenure tenure() {
    return steps.tenure();
  }

  /** Sends a message; the reply comes when it is committed. A full mailbox refuses it at once. */
  public CompletableFuture<Reply> send(Envelope envelope) {
    return steps.send(envelope);
  }

  /**
   * Completes with the cause when the engine cannot go on: another server took over, or the disk
   * failed.
   */
  public CompletableFuture<Throwable> failure() {
    return failure;
  }

  public int activeRuns() {
    return activeRuns;
  }

  public int unfinishedActions() {
    return unfinishedActions;
  }

  /** How many machines cost money, or are about to: somebody must give them back in time. */
  public int machinesAtWork() {
    return machinesAtWork;
  }

  /** How the loop gets on. */
  public LoopStatus loopStatus() {
    return steps.loopStatus();
  }

  /** How many things are active, by what they are and how they are. */
  public List<StateCount> populations() {
    return steps.stateMetrics().counts().entrySet().stream()
        .map(
            one ->
                new StateCount(
                    one.getKey().kind().word(),
                    one.getKey().state(),
                    one.getKey().backend(),
                    one.getValue()))
        .toList();
  }

  /** The backends of which nothing is swept, because the world is newer than the ledger. */
  public List<String> unswept() {
    return steps.unswept();
  }

  /** What running jobs use, as it was seen some seconds ago. Asks nobody, so it never waits. */
  public List<MeasuredJob> usage() {
    return steps.usage();
  }

  /** The number of the newest event. */
  public long newestEvent() {
    return seq.get();
  }

  /** Waits until there are events after a number, at most so long; returns the newest number. */
  public long awaitEvents(long after, Duration atMost) throws InterruptedException {
    long nanos = atMost.toNanos();
    seqLock.lock();
    try {
      while (seq.get() <= after && nanos > 0 && !closing) {
        nanos = seqAdvanced.awaitNanos(nanos);
      }
      return seq.get();
    } finally {
      seqLock.unlock();
    }
  }

  public Map<String, Compute> backends() {
    return steps.backends();
  }

  /**
   * Who runs the jobs of an attempt, where it is placed: its backend, or Berth on the machine;
   * empty if the backend was removed, or there is no connection to the machine.
   */
  public Optional<JobRuntime> runtime(Attempt attempt) {
    return steps.runtime(attempt);
  }

  /**
   * Whether it is known how busy the accelerators of jobs on a backend are, so that a utilisation
   * policy can be kept there.
   */
  public boolean measuresAccelerators(Compute compute) {
    return steps.measuresAccelerators(compute);
  }

  /** The machines of each backend that are there by themselves; of one that fails, none. */
  public Map<String, List<Instance>> machines() {
    Map<String, List<Instance>> machines = new TreeMap<>();
    backends()
        .forEach(
            (name, compute) -> {
              try {
                machines.put(name, steps.machines(name, compute));
              } catch (RuntimeException | LinkageError e) {
                LOG.log(
                    System.Logger.Level.WARNING, "The machines of " + name + " are not known", e);
              }
            });
    return machines;
  }

  private void runLoop() {
    try {
      // What a server before us left under way comes first.
      steps.stepDispatcher();
      while (!closing) {
        steps.awaitLoop(LONGEST_WAIT);
        steps.stepLoop();
        steps.stepDispatcher();
      }
    } catch (InterruptedException e) {
      // Closing is the only one who interrupts this thread.
      LOG.log(System.Logger.Level.DEBUG, "The loop ends");
    } catch (RuntimeException | Error e) {
      LOG.log(System.Logger.Level.ERROR, "The loop cannot go on", e);
      failure.complete(e);
    }
  }

  /** Says where the offers of catalogs are. To be called before {@link #start}. */
  public void readCatalogFrom(CatalogSource catalog) {
    steps.offers().readFrom(catalog);
  }

  /**
   * The offers that meet some requirements, or were known before where a backend does not answer
   * within some seconds.
   */
  public OfferView offers(Collection<OfferRequirement> requirements) throws InterruptedException {
    return steps.offers().await(requirements, 0, ANSWER_WITHIN);
  }

  /** The offers that meet a requirement, so many at least where there are as many. */
  public OfferListing offers(OfferRequirement requirement, int atLeast)
      throws InterruptedException {
    return steps.offers().list(requirement, atLeast, ANSWER_WITHIN);
  }

  private void runOffers() {
    try {
      while (!closing) {
        steps.offers().awaitWork();
        steps.stepOffers();
      }
    } catch (InterruptedException e) {
      LOG.log(System.Logger.Level.DEBUG, "Looking up offers ends");
    }
  }

  /** A virtual thread for each call. */
  private final class Calls implements ControlSteps.OutsideCalls {
    /** Each by itself: the same action may be under way twice, once given up. */
    private final Map<Action, Thread> threads =
        Collections.synchronizedMap(new IdentityHashMap<>());

    @Override
    public void carryOut(Action action) {
      Thread thread =
          Thread.ofVirtual()
              .name("berth-" + action.id())
              .unstarted(
                  () -> {
                    try {
                      LogScope.run(about(action), () -> steps.finished(action, steps.call(action)));
                    } finally {
                      threads.remove(action);
                    }
                  });
      threads.put(action, thread);
      thread.start();
    }

    private static Map<String, String> about(Action action) {
      return Map.of(
          "backend",
          action.backend(),
          action.of() == ResourceType.JOB ? "attempt" : "resource",
          action.resourceId(),
          "operation",
          action.type().name().toLowerCase(Locale.ROOT));
    }

    @Override
    public Duration patience() {
      return PATIENCE;
    }

    @Override
    public void lookUp(String backend, Runnable call) {
      Thread.ofVirtual().name("offers-of-" + backend).start(call);
    }

    @Override
    public void abandon(Action action) {
      Thread thread = threads.get(action);
      if (thread != null) {
        thread.interrupt();
      }
    }
  }

  private void committed(View view, int unfinished, long newest) {
    unfinishedActions = unfinished;
    activeRuns = view.active(Run.class).size();
    machinesAtWork =
        (int)
            (view.active(Instance.class).stream()
                    .filter(machine -> machine.purchase() != null)
                    .count()
                + view.active(Fleet.class).stream().filter(fleet -> fleet.due() != null).count());
    seqLock.lock();
    try {
      seq.set(newest);
      seqAdvanced.signalAll();
    } finally {
      seqLock.unlock();
    }
  }

  /**
   * Ends the threads; jobs go on, and calls under way are not waited for: both are found again at
   * the next start.
   */
  @Override
  public void close() {
    closing = true;
    loopThread.interrupt();
    offersThread.interrupt();
    seqLock.lock();
    try {
      seqAdvanced.signalAll();
    } finally {
      seqLock.unlock();
    }
    followings.values().forEach(BackendThreads::end);
    BackendThreads.await(loopThread);
    BackendThreads.await(offersThread);
    steps.offers().close();
    steps.machines().close();
    lease.close();
    backends().forEach(ControlPlane::close);
    leave();
  }

  /** Lets another server take over at once. */
  private void leave() {
    if (ledger.isShared() && loopThread.getState() != Thread.State.NEW) {
      try {
        ledger.release(steps.tenure());
      } catch (LedgerException e) {
        LOG.log(
            System.Logger.Level.WARNING,
            "Whoever takes over waits for our lease to end: " + e.getMessage());
      }
    }
  }
}
