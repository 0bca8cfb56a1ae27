package dev.berth.control;

import dev.berth.model.Instance;
import dev.berth.model.JobObservation;
import dev.berth.model.JobRequest;
import dev.berth.spi.Compute;
import dev.berth.spi.Identity;
import dev.berth.spi.JobDescription;
import dev.berth.spi.JobRuntime;
import dev.berth.spi.JobUsage;
import dev.berth.spi.Offers;
import dev.berth.spi.OwnMachine;
import dev.berth.spi.Owner;
import dev.berth.spi.Reach;
import dev.berth.spi.Traits;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** A machine without processes: jobs are words that a test changes. It outlives its servers. */
final class FakeRuntime implements JobRuntime, Compute {
  private static final Instant STARTED = Instant.parse("2026-11-01T11:59:00Z");

  private final Map<String, JobObservation> jobs = new ConcurrentHashMap<>();
  private final List<Consumer<String>> watchers = new CopyOnWriteArrayList<>();

  /** Every call as it comes in, before it is carried out. */
  final BlockingQueue<String> calls = new LinkedBlockingQueue<>();

  /** Jobs that really came into being. */
  final List<String> started = new CopyOnWriteArrayList<>();

  /** Called within each look, after the jobs were seen and before they are told. */
  volatile Runnable duringLook = () -> {};

  /** Called within each start, before the job comes into being. */
  volatile Runnable duringStart = () -> {};

  /** How many jobs its machine has room for. Read when the backend is opened. */
  volatile int slots = 32;

  /** How it knows jobs again that it was asked for before. */
  volatile Identity identity = new Identity.UniqueName();

  /** Keys that one more job carries than those that a test speaks of. */
  final List<String> doubles = new CopyOnWriteArrayList<>();

  /** What jobs use. */
  final Map<String, JobUsage> uses = new ConcurrentHashMap<>();

  final AtomicInteger closed = new AtomicInteger();

  @Override
  public Instant start(JobRequest request) {
    calls.add("start " + request.attemptId());
    duringStart.run();
    if (jobs.putIfAbsent(request.attemptId(), new JobObservation.Running(STARTED)) == null) {
      started.add(request.attemptId());
    }
    return STARTED;
  }

  @Override
  public void stop(String attemptId, Duration grace) {
    calls.add("stop " + attemptId + " " + grace);
    end(attemptId, 143, JobObservation.Cause.STOPPED);
  }

  @Override
  public void kill(String attemptId) {
    calls.add("kill " + attemptId);
    end(attemptId, 137, JobObservation.Cause.KILLED);
  }

  @Override
  public void release(String attemptId) {
    calls.add("release " + attemptId);
  }

  @Override
  public void remove(String attemptId) {
    calls.add("remove " + attemptId);
    jobs.remove(attemptId);
  }

  @Override
  public List<JobObservation> observe(List<String> attemptIds) {
    List<JobObservation> seen =
        attemptIds.stream()
            .map(id -> Objects.requireNonNullElse(jobs.get(id), new JobObservation.Absent()))
            .toList();
    duringLook.run();
    return seen;
  }

  @Override
  public Map<String, JobUsage> usage(List<String> attemptIds) {
    return Map.copyOf(uses);
  }

  @Override
  public AutoCloseable watch(Consumer<String> changed) {
    watchers.add(changed);
    return () -> watchers.remove(changed);
  }

  @Override
  public Output read(String attemptId, Stream stream, long offset, int maxBytes) {
    throw new UnsupportedOperationException("nobody reads output here");
  }

  @Override
  public List<OwnMachine> ownMachines() {
    Instance machine = Samples.instance(slots);
    return List.of(
        new OwnMachine(
            machine.id(),
            machine.name(),
            machine.region(),
            machine.capacity(),
            machine.gpus(),
            null));
  }

  @Override
  public Optional<JobRuntime> runtime() {
    return Optional.of(this);
  }

  @Override
  public Traits traits() {
    return Traits.of(Traits.Base.HOSTS);
  }

  @Override
  public Identity identity() {
    return identity;
  }

  @Override
  public Reach reach() {
    return Reach.ENGINE;
  }

  @Override
  public Offers offers() {
    return new Offers.OwnMachines();
  }

  @Override
  public JobDescription describe(String attemptId) {
    throw new UnsupportedOperationException("nobody asks for details here");
  }

  @Override
  public List<String> list(Owner owner) {
    return java.util.stream.Stream.concat(jobs.keySet().stream(), doubles.stream()).toList();
  }

  @Override
  public void close() {
    closed.incrementAndGet();
  }

  /** Changes a job without a word to anybody. */
  void become(String attemptId, JobObservation state) {
    jobs.put(attemptId, state);
  }

  /** A job ends, and whoever watches is told. */
  void end(String attemptId, int code, JobObservation.Cause cause) {
    jobs.computeIfPresent(
        attemptId,
        (_, state) ->
            state instanceof JobObservation.Exited
                ? state
                : new JobObservation.Exited(code, cause, "", STARTED, STARTED.plusSeconds(9)));
    ring(attemptId);
  }

  void ring(String attemptId) {
    watchers.forEach(watcher -> watcher.accept(attemptId));
  }

  int watchers() {
    return watchers.size();
  }

  void awaitCall(String call) throws InterruptedException {
    String next = calls.poll(30, TimeUnit.SECONDS);
    if (!call.equals(next)) {
      throw new AssertionError("expected the call '" + call + "' and saw '" + next + "'");
    }
  }

  /** Waits within a call until a test lets it go on. */
  static void await(CountDownLatch latch) {
    try {
      if (!latch.await(30, TimeUnit.SECONDS)) {
        throw new AssertionError("nobody let the call go on");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }
}
