package dev.berth.hosts.process;

import dev.berth.hosts.HostException;
import dev.berth.hosts.access.DetachedCommand;
import dev.berth.hosts.access.MachineAccess;
import dev.berth.hosts.access.ProcessIdentity;
import dev.berth.hosts.jobdir.ExitReason;
import dev.berth.hosts.jobdir.JobDirectory;
import dev.berth.hosts.jobdir.JobEnd;
import dev.berth.hosts.jobdir.JobMasks;
import dev.berth.hosts.jobdir.JobObserver;
import dev.berth.hosts.jobdir.JobOutput;
import dev.berth.hosts.jobdir.JobStore;
import dev.berth.hosts.jobdir.JobWarnings;
import dev.berth.hosts.jobdir.JobWatch;
import dev.berth.hosts.jobdir.Observation;
import dev.berth.hosts.jobdir.Observation.Absent;
import dev.berth.hosts.jobdir.Observation.Exited;
import dev.berth.hosts.jobdir.Observation.Prepared;
import dev.berth.hosts.jobdir.Observation.Running;
import dev.berth.hosts.jobdir.Observation.State;
import dev.berth.hosts.jobdir.OutputChunk;
import dev.berth.hosts.jobdir.OutputSizes;
import dev.berth.hosts.jobdir.OutputStreamName;
import dev.berth.hosts.jobdir.RecordedUsage;
import dev.berth.hosts.jobdir.RunnerLiveness;
import dev.berth.hosts.jobdir.RunnerSecrets;
import dev.berth.hosts.jobdir.ShellJob;
import dev.berth.hosts.jobdir.TimeIndexEntry;
import dev.berth.hosts.jobdir.UsageSample;
import dev.berth.hosts.jobdir.Watch;
import dev.berth.model.Secret;
import dev.berth.spi.Execution;
import dev.berth.spi.JobUsage;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs jobs as processes of a machine, this one or another.
 *
 * <p>All state is in the job directories. A runtime may be closed by killing its JVM at any time;
 * another one on the same root, now or later, sees and controls the same jobs. All methods may be
 * called from any thread. None waits for a job, except {@link #remove}. Those that take an attempt
 * refuse an id that could not be a folder's name with {@code INVALID}; trouble with the disk is
 * {@code MACHINE} everywhere.
 */
public final class ProcessRuntime {
  private static final System.Logger LOGGER = System.getLogger(ProcessRuntime.class.getName());

  private final HostSettings settings;
  private final JobStore store;
  private final JobObserver observer;
  private final RunnerProcess runners;
  private final JobEnd jobEnd;
  private final JobPreparation preparation;
  private final JobMasks masks;
  private final JobOutput output;

  /**
   * Attempts whose runner we started and saw end, with its process id. Written when a runner ends;
   * cleared on removal.
   */
  private final Map<String, Long> endedRunners = new ConcurrentHashMap<>();

  /**
   * Open watches, told of runners that ended without a word, which the event folder cannot show.
   */
  private final List<JobWatch> watches = new CopyOnWriteArrayList<>();

  /**
   * Opens the root folder, which is created where needed. Starts nothing.
   *
   * @throws HostException MISSING_TOOL when the machine lacks {@code setsid}
   */
  public ProcessRuntime(HostSettings settings) {
    this.settings = settings;
    MachineAccess machine = settings.machine();
    this.store = new JobStore(machine, settings.root(), settings.clock().instant());
    this.observer = new JobObserver(settings.clock(), machine.processes().bootId());
    this.preparation = new JobPreparation(machine, store, machine.commands().limitations());
    this.masks = JobMasks.ofProcesses(machine.processes());
    this.output = new JobOutput(masks);
    this.runners = new RunnerProcess(settings, store.script());
    this.jobEnd = new JobEnd(store, runners, settings.clock());
  }

  /**
   * Creates the job directory, copies the inputs, and makes the cgroups. Nothing runs yet.
   *
   * <p>Idempotent: does nothing for an attempt that is there, whatever its state. Atomic: the
   * directory appears whole. Takes a few milliseconds, and the time to copy the inputs.
   *
   * @throws HostException INPUT when an input cannot be copied; then there is no directory
   */
  public void prepare(ShellJob spec) {
    store.prepare(spec.attemptId(), directory -> preparation.fill(directory, spec));
  }

  /**
   * Starts the job. At most once, however often, by however many threads and servers, before or
   * after crashes this is called: an atomic claim in the directory decides. Does nothing for a job
   * that was started, stopped or lost before.
   *
   * <p>Takes the time to start a process, and returns before the job's first command. That a job
   * cannot start (no such shell, no working directory) shows in {@link #observe}, as {@link
   * ExitReason#START_FAILED}.
   *
   * @throws HostException ABSENT when it is not prepared; MACHINE when no process can be started
   */
  public void start(String attemptId) {
    start(attemptId, Map.of(), List.of());
  }

  /**
   * The same for a job that was prepared with secrets, which are given to it now.
   *
   * @param secrets the same variables as in what was prepared
   * @param hidden the words that its output must not show
   */
  public void start(String attemptId, Map<String, Secret> secrets, List<Secret> hidden) {
    JobDirectory directory = store.directory(attemptId);
    State state = observer.observe(directory, RunnerLiveness.ofProcesses(_ -> false));
    if (state instanceof Absent) {
      throw new HostException(
          HostException.Code.ABSENT, "the attempt " + attemptId + " is not prepared on this host");
    }
    if (state instanceof Prepared && !directory.has("runner")) {
      masks.remember(attemptId, hidden);
      DetachedCommand runner = runners.start(directory, RunnerSecrets.variables(secrets, hidden));
      Thread.ofVirtual().name("runner-" + attemptId).start(() -> follow(attemptId, runner));
    }
  }

  private void follow(String attemptId, DetachedCommand runner) {
    try {
      OptionalInt code = runner.awaitEnd();
      if (code.isPresent()) {
        runnerEnded(attemptId, runner.pid(), code.getAsInt());
      }
    } catch (InterruptedException | HostException failure) {
      if (failure instanceof HostException known && known.code() == HostException.Code.ABSENT) {
        // Removed meanwhile: then nobody needs to know.
        return;
      }
      LOGGER.log(
          System.Logger.Level.ERROR,
          "The end of the runner of " + attemptId + " was not recorded",
          failure);
    }
  }

  private void runnerEnded(String attemptId, long pid, int code) {
    JobDirectory directory = store.directory(attemptId);
    if (!directory.exists()) {
      return;
    }
    Optional<String> claim = directory.text("runner");
    if (claim.isEmpty() && code != 0) {
      String log = directory.text("runner.log").orElse("").strip();
      jobEnd.refuse(
          attemptId, directory, ExitReason.START_FAILED, "the runner could not start: " + log);
    } else if (claim
        .flatMap(ProcessIdentity::parse)
        .filter(identity -> identity.pid() == pid)
        .isPresent()) {
      endedRunners.put(attemptId, pid);
      if (directory.exit().isEmpty()) {
        watches.forEach(watch -> watch.tell(attemptId));
      }
    }
  }

  /**
   * Tells the states of attempts, in their order. Reads a handful of small files for each, of all
   * in one round trip; changes nothing.
   */
  public List<Observation> observe(Collection<String> attemptIds) {
    return observer.observe(
        store,
        attemptIds,
        this::runnerLife,
        failure -> {
          throw failure;
        });
  }

  /**
   * Tells the states of all attempts that have a directory, by id: also those that other servers
   * started.
   */
  public List<Observation> observeAll() {
    return observe(store.attempts());
  }

  private State state(String attemptId) {
    return observer.observe(store.directory(attemptId), runnerLife(attemptId));
  }

  private RunnerLiveness runnerLife(String attemptId) {
    long ended = endedRunners.getOrDefault(attemptId, -1L);
    return RunnerLiveness.ofProcesses(pid -> pid == ended);
  }

  /**
   * Calls back within milliseconds after an attempt started or ended, from one thread, until
   * closed. The same change may be told twice, and changes of attempts that other servers started
   * are told too. What happened before is not told: observe once after this returned. A runner that
   * was killed is told only if this runtime started it, so observe all attempts now and then.
   *
   * @param changed is expected to be quick; what it throws is logged
   */
  public Watch watch(Consumer<String> changed) {
    JobWatch watch = store.watch(changed, watches::remove);
    watches.add(watch);
    return watch;
  }

  /**
   * Reads output from a byte offset. Nothing is lost or reordered: what was written stays where it
   * is, and {@link OutputChunk#ended} is true only together with the last byte. Secrets are hidden.
   *
   * @param maxBytes at most so many bytes are returned, fewer only where there are no more yet
   * @throws HostException ABSENT when there is no directory; INVALID for a negative offset or no
   *     room
   */
  public OutputChunk read(String attemptId, OutputStreamName stream, long offset, int maxBytes) {
    return output.read(
        attemptId,
        present(attemptId),
        () -> JobOutput.isOver(state(attemptId)),
        stream,
        offset,
        maxBytes);
  }

  /**
   * The sizes of the output by time, oldest first; empty when nothing was written. ABSENT when
   * there is no directory.
   */
  public List<TimeIndexEntry> timeIndex(String attemptId) {
    return present(attemptId).lines("index").stream()
        .map(line -> line.split(" "))
        .filter(words -> words.length == 3)
        .map(
            words ->
                new TimeIndexEntry(
                    Instant.ofEpochSecond(Long.parseLong(words[0])),
                    new OutputSizes(Long.parseLong(words[1]), Long.parseLong(words[2]))))
        .toList();
  }

  /**
   * What the job used, about every ten seconds, oldest first. ABSENT when there is no directory.
   */
  public List<UsageSample> samples(String attemptId) {
    return present(attemptId).lines("metrics").stream()
        .flatMap(line -> UsageSample.parse(line).stream())
        .toList();
  }

  /**
   * The newest of the samples of each attempt that runs. Reads a handful of small files for each.
   */
  public Map<String, JobUsage> usage(Collection<String> attemptIds) {
    Map<String, JobUsage> found = new LinkedHashMap<>();
    for (Observation observation : observe(attemptIds)) {
      if (observation.state() instanceof Running) {
        String attemptId = observation.attemptId();
        JobDirectory directory = store.directory(attemptId);
        RecordedUsage.last(directory, memoryLimit(directory))
            .ifPresent(usage -> found.put(attemptId, usage));
      }
    }
    return found;
  }

  private @Nullable Long memoryLimit(JobDirectory directory) {
    OptionalLong limit = settings.machine().controlGroups().memoryLimit(directory.controlGroups());
    return limit.isPresent() ? Long.valueOf(limit.getAsLong()) : null;
  }

  /**
   * Sentences about what was asked for and could not be done, such as limits; none of a job that is
   * not there.
   */
  public List<String> warnings(String attemptId) {
    return JobWarnings.of(store.directory(attemptId));
  }

  /**
   * Asks the job to end: TERM to all its processes now, KILL to what is left after the grace.
   * Returns at once; {@link #observe} shows the end. A job that has not been started never will be.
   *
   * <p>Idempotent; a repeated request may shorten the grace and never lengthens it. Silent when the
   * job has ended or is absent. Of a job that is lost, all that is left is killed before this
   * returns.
   *
   * @throws HostException NOT_KILLED when a lost job's processes cannot be killed
   */
  public void stop(String attemptId, Duration grace) {
    jobEnd.request(attemptId, state(attemptId), grace, ExitReason.STOPPED);
  }

  /** Kills the job at once, all its processes. Otherwise as {@link #stop}. */
  public void kill(String attemptId) {
    jobEnd.request(attemptId, state(attemptId), Duration.ZERO, ExitReason.KILLED);
  }

  /**
   * Runs a command beside those of a running job, with its folder, variables and limits. It ends
   * with the job.
   *
   * @throws HostException ABSENT when the job does not run; MACHINE when no process can be started
   */
  public Execution exec(String attemptId, List<String> command) {
    JobDirectory directory = present(attemptId);
    if (!(state(attemptId) instanceof Running)) {
      throw new HostException(
          HostException.Code.ABSENT, "the attempt " + attemptId + " does not run");
    }
    return CommandInJob.start(settings, directory, command);
  }

  /**
   * Kills what is left of the job and deletes its directory. Idempotent; silent when it is gone.
   * Waits until the runner has ended, usually milliseconds, at most half a minute.
   *
   * @throws HostException NOT_KILLED when processes cannot be killed; then the directory stays
   */
  public void remove(String attemptId) {
    JobDirectory directory = store.directory(attemptId);
    if (directory.exists()) {
      kill(attemptId);
      runners.awaitEnd(directory);
      if (!(state(attemptId) instanceof Exited)) {
        runners.sweep(directory);
      }
      settings.machine().controlGroups().remove(directory.controlGroups());
    }
    store.remove(attemptId);
    endedRunners.remove(attemptId);
    masks.forget(attemptId);
  }

  private JobDirectory present(String attemptId) {
    JobDirectory directory = store.directory(attemptId);
    if (!directory.exists()) {
      throw new HostException(
          HostException.Code.ABSENT, "there is no attempt " + attemptId + " on this host");
    }
    return directory;
  }
}
