package dev.berth.hosts.process;

import static dev.berth.hosts.HostFailures.translated;

import dev.berth.hosts.access.MachineAccess;
import dev.berth.hosts.access.MachineCommands;
import dev.berth.hosts.access.MachinePath;
import dev.berth.hosts.jobdir.Observation;
import dev.berth.hosts.jobdir.Observations;
import dev.berth.hosts.jobdir.OutputChunk;
import dev.berth.hosts.jobdir.OutputStreamName;
import dev.berth.hosts.jobdir.ShellJob;
import dev.berth.hosts.jobdir.Watch;
import dev.berth.model.JobObservation;
import dev.berth.model.JobRequest;
import dev.berth.spi.Archives;
import dev.berth.spi.BackendException;
import dev.berth.spi.Execution;
import dev.berth.spi.JobDescription;
import dev.berth.spi.JobRuntime;
import dev.berth.spi.JobUsage;
import dev.berth.spi.Owner;
import dev.berth.spi.Traits;
import java.io.IOException;
import java.nio.channels.ByteChannel;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Runs jobs as processes of a machine, in the words of the contract: {@link ProcessRuntime} knows
 * nothing of backends. Holds no state of its own but a watch, which wakes those who wait for a
 * killed job to be gone.
 */
public final class ProcessJobRuntime implements JobRuntime, AutoCloseable {
  private static final String LOOPBACK = "127.0.0.1";
  private static final Duration CONNECT_PATIENCE = Duration.ofSeconds(10);
  private static final Duration KILL_PATIENCE = Duration.ofSeconds(30);

  /**
   * After so much silence the job is killed again, which wakes a runner that missed the request,
   * and looked at again: no watch tells of the end of a runner that another server started and
   * somebody killed.
   */
  private static final Duration ASK_AGAIN = Duration.ofMillis(200);

  private final MachineAccess machine;
  private final ProcessRuntime processes;
  private final Traits traits;
  private final Function<Set<String>, Map<String, String>> devices;
  private final String defaultShell;
  private final MachinePath home;
  private final InstantSource clock;
  private final Archives archives;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /** How often a job changed. Written by the watch. Guarded by the lock. */
  private long changes;

  private final Watch watch;

  /**
   * Opens the root folder on the machine, which is let go of on {@link #close}.
   *
   * @param traits what requests may need
   * @param devices the variables that tell a job which devices are its own, by their ids; throws
   *     for those that are gone
   * @param archives where uploaded files come from
   * @throws dev.berth.hosts.HostException MISSING_TOOL when the machine lacks {@code setsid}
   */
  public ProcessJobRuntime(
      HostSettings host,
      Traits traits,
      Function<Set<String>, Map<String, String>> devices,
      Archives archives) {
    this.machine = host.machine();
    this.processes = new ProcessRuntime(host);
    this.traits = traits;
    this.devices = devices;
    this.defaultShell = defaultShell(machine.commands());
    this.home = MachinePath.of(machine.commands().environment().getOrDefault("HOME", "/"));
    this.clock = host.clock();
    this.archives = archives;
    this.watch = processes.watch(_ -> wake());
  }

  /** The shell of jobs that name none. */
  static String defaultShell(MachineCommands commands) {
    return commands
        .find("bash")
        .or(() -> commands.find("sh"))
        .map(MachinePath::text)
        .orElse("/bin/sh");
  }

  @Override
  public Instant start(JobRequest request) {
    JobRuntime.requireOnly(request, traits);
    return translated(
        () -> {
          // A job that is there already needs nothing of what preparing it would take.
          if (state(request.attemptId()) instanceof Observation.Absent) {
            processes.prepare(spec(request));
          }
          processes.start(request.attemptId(), request.secrets(), request.hidden());
          return clock.instant();
        });
  }

  private ShellJob spec(JobRequest request) {
    return JobTranslation.spec(
        request, devices.apply(request.share().devices()), defaultShell, home, archives);
  }

  @Override
  public void stop(String attemptId, Duration grace) {
    translated(() -> processes.stop(attemptId, grace));
  }

  @Override
  public void kill(String attemptId) {
    translated(() -> processes.kill(attemptId));
    awaitEnd(attemptId);
  }

  private void awaitEnd(String attemptId) {
    long deadline = System.nanoTime() + KILL_PATIENCE.toNanos();
    // The number is taken before the look, so that no change between look and wait is missed.
    for (long seen = changes(); !isOver(attemptId); seen = changes()) {
      long left = deadline - System.nanoTime();
      if (left <= 0) {
        throw new BackendException.Transient(
            "processes of the attempt %s are left %d seconds after they were killed"
                .formatted(attemptId, KILL_PATIENCE.toSeconds()),
            null);
      }
      if (!awaitChange(seen, Math.min(left, ASK_AGAIN.toNanos()))) {
        translated(() -> processes.kill(attemptId));
      }
    }
  }

  private boolean isOver(String attemptId) {
    return translated(
        () ->
            switch (state(attemptId)) {
              case Observation.Exited _, Observation.Absent _ -> true;
              case Observation.Lost _ -> {
                // Nobody is left to end it, so this waits until it is done.
                processes.kill(attemptId);
                yield true;
              }
              case Observation.Prepared _, Observation.Running _ -> false;
            });
  }

  private long changes() {
    lock.lock();
    try {
      return changes;
    } finally {
      lock.unlock();
    }
  }

  /** Waits for a change after the one that was seen; false when there is none in time. */
  private boolean awaitChange(long seen, long nanos) {
    lock.lock();
    try {
      long left = nanos;
      while (changes == seen && left > 0) {
        left = changed.awaitNanos(left);
      }
      return changes != seen;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new BackendException.Transient("waiting for a job's end was interrupted", interrupted);
    } finally {
      lock.unlock();
    }
  }

  private void wake() {
    lock.lock();
    try {
      changes++;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void remove(String attemptId) {
    translated(() -> processes.remove(attemptId));
  }

  @Override
  public List<JobObservation> observe(List<String> attemptIds) {
    return translated(
        () ->
            processes.observe(attemptIds).stream()
                .map(observation -> Observations.of(observation.state(), observation.warnings()))
                .toList());
  }

  @Override
  public JobDescription describe(String attemptId) {
    return translated(
        () -> {
          Observation seen = processes.observe(List.of(attemptId)).getFirst();
          Observation.State state = seen.state();
          if (state instanceof Observation.Absent) {
            throw unknown(attemptId);
          }
          List<String> warnings = seen.warnings();
          return new JobDescription(
              Observations.of(state, warnings), Observations.word(state), null, null, warnings);
        });
  }

  private static BackendException unknown(String attemptId) {
    return new BackendException.Gone("there is no attempt " + attemptId + " on this machine", null);
  }

  /** Every job in the folder is ours: it belongs to one server. */
  @Override
  public List<String> list(Owner owner) {
    return translated(() -> processes.observeAll().stream().map(Observation::attemptId).toList());
  }

  @Override
  public Execution exec(String attemptId, List<String> command) {
    return translated(() -> processes.exec(attemptId, command));
  }

  /** Jobs are processes of this machine, so their ports are its own. */
  @Override
  public ByteChannel connect(String attemptId, int port) {
    if (!(translated(() -> state(attemptId)) instanceof Observation.Running)) {
      throw new BackendException.Gone("the attempt " + attemptId + " does not run", null);
    }
    try {
      return machine.streams().tcp(LOOPBACK, port, CONNECT_PATIENCE);
    } catch (IOException e) {
      throw new BackendException.Transient("nothing is listening on port " + port, e);
    }
  }

  @Override
  public Map<String, JobUsage> usage(List<String> attemptIds) {
    return translated(() -> processes.usage(attemptIds));
  }

  @Override
  public Watch watch(Consumer<String> consumer) {
    return translated(() -> processes.watch(consumer));
  }

  @Override
  public Output read(String attemptId, Stream stream, long offset, int maxBytes) {
    OutputChunk chunk =
        translated(() -> processes.read(attemptId, OutputStreamName.of(stream), offset, maxBytes));
    return new Output(chunk.bytes(), chunk.nextOffset(), chunk.ended());
  }

  private Observation.State state(String attemptId) {
    return processes.observe(List.of(attemptId)).getFirst().state();
  }

  @Override
  public void close() {
    watch.close();
    machine.close();
  }
}
