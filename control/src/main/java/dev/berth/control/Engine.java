package dev.berth.control;

import dev.berth.decisions.Market;
import dev.berth.decisions.Message;
import dev.berth.decisions.Reply;
import dev.berth.decisions.View;
import dev.berth.ledger.Ledger;
import dev.berth.model.Action;
import dev.berth.model.Instance;
import dev.berth.model.JobObservation;
import dev.berth.model.Placement;
import dev.berth.model.Run;
import dev.berth.spi.Compute;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Gives the step machines their threads: one for the loop, one for each backend's watches, and a
 * virtual one for each call.
 */
public final class Engine implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Engine.class.getName());
  private static final Duration LOOK_AT_ALL_EVERY = Duration.ofSeconds(5);
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

  private final Map<String, Compute> backends;
  private final InstantSource clock;
  private final ControlLoop loop;
  private final Dispatcher dispatcher;
  private final ActionCalls calls;

  /** Who follows the jobs of each backend. Written under its own lock; read by any thread. */
  private final Map<String, Following> followings = new ConcurrentHashMap<>();

  private final Thread loopThread =
      Thread.ofPlatform().name("berth-loop").daemon().unstarted(this::runLoop);
  private final MarketWatch market;
  private final Thread marketThread =
      Thread.ofPlatform().name("berth-market").daemon().unstarted(this::runMarket);
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

  /**
   * Puts the parts together; {@link #start} sets them going.
   *
   * @param backends those that are open, by name
   * @param types the type of a backend, by its name
   */
  public Engine(
      Ledger ledger,
      String owner,
      Map<String, Compute> backends,
      Function<String, String> types,
      InstantSource clock,
      FailPoint.Observer failPoints) {
    this.backends = new ConcurrentHashMap<>(backends);
    this.clock = clock;
    this.calls = new ActionCalls(this.backends, clock, failPoints);
    this.dispatcher = new Dispatcher(this::carryOut);
    this.market =
        new MarketWatch(
            this.backends, types, clock, () -> loop().report(new Message.OffersChanged()));
    backends.forEach(this::follow);
    this.loop =
        new ControlLoop(ledger, "main", owner, clock, failPoints, new Hand(), market::market);
  }

  public void start() {
    backends.forEach(this::opened);
    followings.values().forEach(Following::start);
    loopThread.start();
    marketThread.start();
    market.ring();
  }

  /** Takes a backend in while the engine runs. */
  public void add(String name, Compute compute) {
    if (backends.putIfAbsent(name, compute) != null) {
      throw new IllegalArgumentException("the backend " + name + " is there already");
    }
    follow(name, compute);
    Following following = followings.get(name);
    if (following != null) {
      following.start();
    }
    opened(name, compute);
    market.open(name);
  }

  /**
   * Lets go of a backend, unless something of ours is there.
   *
   * @return the refusal, or empty when it is closed
   */
  public Optional<Reply.Refused> remove(String name, String actor) throws InterruptedException {
    // Before it is decided, so that nobody is placed there after it was.
    market.close(name);
    Envelope envelope = Envelope.of(new Message.BackendRemoved(name, actor));
    try {
      if (send(envelope).get() instanceof Reply.Refused refused) {
        market.open(name);
        return Optional.of(refused);
      }
    } catch (ExecutionException e) {
      market.open(name);
      throw new IllegalStateException("the removal could not be decided", e.getCause());
    }
    Following following = followings.remove(name);
    if (following != null) {
      following.end();
    }
    Compute compute = backends.remove(name);
    if (compute != null) {
      close(name, compute);
    }
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

  private void follow(String name, Compute compute) {
    compute
        .runtime()
        .ifPresent(
            runtime ->
                followings.put(name, new Following(new Watches(name, runtime, this::observed))));
  }

  private void opened(String name, Compute compute) {
    loop.report(new Message.BackendOpened(name));
    try {
      compute.instances().forEach(instance -> loop.report(new Message.InstanceFound(instance)));
    } catch (RuntimeException | LinkageError e) {
      // The others must be able to work.
      LOG.log(System.Logger.Level.ERROR, "The machines of " + name + " could not be seen", e);
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
    return Collections.unmodifiableMap(backends);
  }

  /** The machines of each backend that are there by themselves; of one that fails, none. */
  public Map<String, List<Instance>> machines() {
    Map<String, List<Instance>> machines = new TreeMap<>();
    backends.forEach(
        (name, compute) -> {
          try {
            machines.put(name, compute.instances());
          } catch (RuntimeException | LinkageError e) {
            LOG.log(System.Logger.Level.WARNING, "The machines of " + name + " are not known", e);
          }
        });
    return machines;
  }

  private void runLoop() {
    try {
      // What a server before us left under way comes first.
      dispatcher.step();
      while (!closing) {
        loop.awaitWork(LONGEST_WAIT);
        loop.step();
        dispatcher.step();
      }
    } catch (InterruptedException e) {
      // Closing is the only one who interrupts this thread.
      LOG.log(System.Logger.Level.DEBUG, "The loop ends");
    } catch (RuntimeException | Error e) {
      LOG.log(System.Logger.Level.ERROR, "The loop cannot go on", e);
      failure.complete(e);
    }
  }

  private ControlLoop loop() {
    return loop;
  }

  /** What can be bought now, or was known before where nobody answers so soon. */
  public Market market(Duration atMost) throws InterruptedException {
    return market.await(atMost);
  }

  private void runMarket() {
    try {
      while (!closing) {
        market.awaitRing();
        look();
      }
    } catch (InterruptedException e) {
      LOG.log(System.Logger.Level.DEBUG, "The market ends");
    }
  }

  private void look() {
    try {
      market.step();
    } catch (RuntimeException | LinkageError e) {
      // The next ring is the retry.
      LOG.log(System.Logger.Level.WARNING, "The market could not be looked at", e);
    }
  }

  private void watch(Watches mine) {
    try {
      Instant all = clock.instant();
      while (!closing) {
        long left = Duration.between(clock.instant(), all).toMillis();
        mine.awaitSignal(Duration.ofMillis(Math.clamp(left, 0, LOOK_AT_ALL_EVERY.toMillis())));
        Instant now = clock.instant();
        if (!now.isBefore(all)) {
          // Also where there is always something else to look at: what died says nothing.
          mine.signalAll();
          all = now.plus(LOOK_AT_ALL_EVERY);
        }
        step(mine);
      }
    } catch (InterruptedException e) {
      LOG.log(System.Logger.Level.DEBUG, "A watch ends");
    }
  }

  private static void step(Watches mine) {
    try {
      mine.step();
    } catch (RuntimeException | LinkageError e) {
      // The next look in a few seconds is the retry.
      LOG.log(System.Logger.Level.WARNING, "The jobs of a backend could not be looked at", e);
    }
  }

  private void observed(String attemptId, JobObservation observation) {
    loop.report(new Message.Observed(attemptId, observation));
  }

  private void carryOut(Action action) {
    Thread.ofVirtual()
        .name("berth-" + action.id())
        .start(
            () -> {
              var outcome = calls.call(action);
              dispatcher.finished(action);
              loop.report(new Message.ActionReported(action.id(), outcome));
              // A look right after the call sees ends that came before the watch knew of the job.
              Following following = followings.get(action.backend());
              if (following != null) {
                following.watches.signal(action.attemptId());
              }
            });
  }

  /**
   * Ends the threads; jobs go on, and calls under way are not waited for: both are found again at
   * the next start.
   */
  @Override
  public void close() {
    closing = true;
    loopThread.interrupt();
    marketThread.interrupt();
    seqLock.lock();
    try {
      seqAdvanced.signalAll();
    } finally {
      seqLock.unlock();
    }
    followings.values().forEach(Following::end);
    await(loopThread);
    await(marketThread);
    backends.forEach(Engine::close);
  }

  private static void await(Thread thread) {
    if (thread.getState() == Thread.State.NEW) {
      return;
    }
    try {
      thread.join(Duration.ofSeconds(10));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The watches of one backend, with the thread that steps them. */
  private final class Following {
    private final Watches watches;
    private final Thread thread;
    private @Nullable AutoCloseable ring;

    Following(Watches watches) {
      this.watches = watches;
      this.thread =
          Thread.ofPlatform()
              .name("berth-watch-" + watches.backend())
              .daemon()
              .unstarted(() -> watch(watches));
    }

    /** Called once. */
    void start() {
      ring = watches.open();
      thread.start();
    }

    void end() {
      thread.interrupt();
      try {
        if (ring != null) {
          ring.close();
        }
      } catch (Exception e) {
        LOG.log(System.Logger.Level.WARNING, "A watch could not be closed", e);
      }
      Engine.await(thread);
    }
  }

  /** What follows from a commit. */
  private final class Hand implements ControlLoop.Listener {
    @Override
    public void handOver(Collection<Action> actions) {
      dispatcher.accept(actions);
    }

    @Override
    public void reloaded() {
      followings.values().forEach(following -> following.watches.forget());
    }

    @Override
    public void committed(View view, int unfinished, long newest) {
      unfinishedActions = unfinished;
      activeRuns = view.active(Run.class).size();
      followings.values().forEach(following -> following.watches.follow(view));
      if (market.isOpen()
          && view.active(Placement.class).stream()
              .anyMatch(placement -> placement.phase() == Placement.State.RESERVING)) {
        market.ring();
      }
      seqLock.lock();
      try {
        seq.set(newest);
        seqAdvanced.signalAll();
      } finally {
        seqLock.unlock();
      }
    }
  }
}
