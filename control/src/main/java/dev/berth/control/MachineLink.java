package dev.berth.control;

import dev.berth.decisions.Message;
import dev.berth.decisions.View;
import dev.berth.model.Attempt;
import dev.berth.model.Pauses;
import dev.berth.model.Resource;
import dev.berth.spi.BackendException;
import dev.berth.spi.GpuMetrics;
import dev.berth.spi.JobRuntime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One machine on which Berth runs jobs: connects to it, retries with exponential backoff, and then
 * watches its jobs and looks for those that nobody needs. Each machine has its own, so that a dead
 * machine stops no other. A step machine: {@link #step} may be called by one thread at a time.
 */
final class MachineLink implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(MachineLink.class.getName());
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  private final String machineId;
  private final MachineConnector.Machine machine;
  private final MachineConnector connector;
  private final Consumer<Message> seen;
  private final Sweeper sweeper;
  private final UsageWatch usage;
  private final GpuWatch accelerators;

  /** The jobs on the machine, by attempt. Written by the loop's thread. */
  private final Map<String, Resource> jobs = new ConcurrentHashMap<>();

  /** Rung if there is something new to look at before there is a connection. */
  private final Semaphore bell = new Semaphore(0);

  /** Written by the stepping thread, under this lock together with the watches. */
  private volatile MachineConnector.@Nullable Connection connection;

  private volatile @Nullable JobWatches watches;

  /** Written by the stepping thread. */
  private volatile Instant connectAt = Instant.EPOCH;

  private volatile String trouble = "Berth has not connected to it yet";
  private volatile boolean closed;
  private Duration pause = FIRST_PAUSE;
  private @Nullable AutoCloseable ring;

  /** Makes who looks for jobs on a machine that nobody needs. */
  interface Sweeps {
    Sweeper of(
        MachineConnector.Machine machine, Supplier<JobRuntime> jobs, Consumer<Message> report);
  }

  MachineLink(
      MachineConnector.Machine machine,
      MachineConnector connector,
      Sweeps sweeps,
      InstantSource clock,
      Consumer<Message> seen) {
    this.machineId = machine.id();
    this.machine = machine;
    this.connector = connector;
    this.seen = seen;
    this.sweeper = sweeps.of(machine, this::requireJobs, seen);
    Predicate<Attempt> ours = attempt -> machineId.equals(attempt.instanceId());
    this.usage =
        new UsageWatch(
            machine.backend(),
            ours,
            ids -> requireJobs().usage(ids),
            Optional.of(this::utilisation),
            clock);
    this.accelerators =
        new GpuWatch(
            machine.backend(),
            ours,
            this::utilisation,
            clock,
            attemptId -> seen.accept(new Message.Underused(attemptId)));
  }

  MachineConnector.Machine machine() {
    return machine;
  }

  /**
   * Who runs jobs on the machine; empty while there is no connection.
   *
   * @throws BackendException.Transient if the machine does not answer now
   */
  Optional<JobRuntime> runtime() {
    return Optional.ofNullable(connection).map(MachineConnector.Connection::jobs);
  }

  /**
   * Who runs jobs on the machine.
   *
   * @throws BackendException.Transient while it cannot be reached
   */
  JobRuntime requireJobs() {
    return runtime()
        .orElseThrow(
            () ->
                new BackendException.Transient(
                    "the machine cannot be reached now: " + trouble, null));
  }

  boolean isConnected() {
    return connection != null;
  }

  /** Why there is no connection, in a sentence. */
  String trouble() {
    return trouble;
  }

  /** Follows a job as it is now, or no longer. Called by the loop's thread. */
  synchronized void follow(Resource job) {
    if (job.active()) {
      jobs.put(job.ownerId(), job);
    } else {
      jobs.remove(job.ownerId());
    }
    JobWatches watching = watches;
    if (watching != null) {
      watching.follow(job);
    }
  }

  /** Measures what exactly those jobs use. Called by the loop's thread. */
  void measure(Collection<Attempt> attempts, View view) {
    usage.follow(attempts, view);
    accelerators.follow(attempts, view);
  }

  /** Who looks what jobs use. */
  UsageWatch usage() {
    return usage;
  }

  /** Who looks how busy the accelerators of jobs with a utilisation policy are. */
  GpuWatch accelerators() {
    return accelerators;
  }

  /** Nothing while there is no connection, or where it cannot tell. */
  private Map<String, List<Integer>> utilisation(List<GpuMetrics.Holder> holders) {
    return Optional.ofNullable(connection)
        .flatMap(MachineConnector.Connection::gpuMetrics)
        .map(metrics -> metrics.utilisation(holders))
        .orElse(Map.of());
  }

  /** A call about a job was made. Safe for any thread. */
  void signal(String attemptId) {
    JobWatches watching = watches;
    if (watching != null) {
      watching.signal(attemptId);
    }
  }

  /** What was told may not have been heard: tells it all once more. */
  void forget() {
    JobWatches watching = watches;
    MachineConnector.Connection open = connection;
    if (open != null) {
      seen.accept(new Message.Equipped(machineId, open.facts()));
    }
    if (watching != null) {
      watching.forget();
    }
    sweeper.forget();
  }

  /** When the next step has something to do; empty after the end. */
  Optional<Instant> next(Instant now) {
    JobWatches watching = watches;
    if (closed) {
      return Optional.empty();
    }
    if (watching == null) {
      return Optional.of(connectAt.isBefore(now) ? now : connectAt);
    }
    Instant sweep = sweeper.next(now).orElseThrow();
    return Optional.of(watching.next(now).filter(look -> look.isBefore(sweep)).orElse(sweep));
  }

  /** Waits until the next step has something to do. */
  void await(Instant now) throws InterruptedException {
    JobWatches watching = watches;
    if (watching != null) {
      watching.awaitNext(now);
      return;
    }
    long left = Duration.between(now, connectAt).toMillis();
    if (left > 0 && bell.tryAcquire(left, TimeUnit.MILLISECONDS)) {
      bell.drainPermits();
    }
  }

  /** Connects if there is no connection, and looks at what is there otherwise. */
  void step(Instant now) {
    JobWatches watching = watches;
    if (watching != null) {
      openRing(watching);
      watching.step(now);
      sweeper.step(now);
    } else if (!closed && !now.isBefore(connectAt)) {
      connect(now);
    }
  }

  private void connect(Instant now) {
    try {
      connected(connector.connect(machine));
    } catch (BackendException e) {
      failed(now, String.valueOf(e.getMessage()), !e.isRetryable());
    } catch (RuntimeException | LinkageError e) {
      LOG.log(System.Logger.Level.ERROR, "The machine " + machineId + " cannot be used", e);
      failed(now, "the connection failed: " + e, false);
    }
  }

  private void connected(MachineConnector.Connection opened) {
    JobWatches watching =
        new JobWatches(
            machine.backend(),
            opened::jobs,
            job -> machineId.equals(job.machineId()),
            (attemptId, observation) -> seen.accept(new Message.Observed(attemptId, observation)),
            attemptId -> seen.accept(new Message.Unseen(attemptId)));
    synchronized (this) {
      if (closed) {
        opened.close();
        return;
      }
      jobs.values().forEach(watching::follow);
      connection = opened;
      watches = watching;
    }
    seen.accept(new Message.Equipped(machineId, opened.facts()));
  }

  private void failed(Instant now, String message, boolean permanent) {
    trouble = message;
    connectAt = now.plus(pause);
    pause = Pauses.next(pause, LONGEST_PAUSE);
    seen.accept(new Message.NotEquipped(machineId, message, permanent));
    jobs.values().stream()
        .filter(job -> job.phase() == Resource.State.PRESENT)
        .forEach(job -> seen.accept(new Message.Unseen(job.ownerId())));
  }

  /** Looks go on without it, so a machine that cannot tell of changes now is asked again. */
  private void openRing(JobWatches watching) {
    if (ring != null) {
      return;
    }
    try {
      ring = watching.open();
    } catch (BackendException e) {
      LOG.log(
          System.Logger.Level.WARNING,
          "Changes of jobs on " + machineId + " are seen late: " + e.getMessage());
    }
  }

  /** Lets go of the machine. */
  @Override
  public synchronized void close() {
    closed = true;
    bell.release();
    try {
      if (ring != null) {
        ring.close();
      }
    } catch (Exception e) {
      LOG.log(System.Logger.Level.WARNING, "A watch of " + machineId + " was not closed", e);
    }
    MachineConnector.Connection open = connection;
    if (open != null) {
      open.close();
    }
  }
}
