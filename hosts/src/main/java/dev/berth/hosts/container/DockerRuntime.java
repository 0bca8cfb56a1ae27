package dev.berth.hosts.container;

import static dev.berth.hosts.container.EngineFailures.translated;

import dev.berth.hosts.HostException;
import dev.berth.hosts.access.MachinePath;
import dev.berth.hosts.docker.ContainerFacts;
import dev.berth.hosts.docker.Engine;
import dev.berth.hosts.docker.ImageName;
import dev.berth.hosts.images.ImageGarbageCollection;
import dev.berth.hosts.images.PulledImages;
import dev.berth.hosts.jobdir.JobDirectory;
import dev.berth.hosts.jobdir.JobEnd;
import dev.berth.hosts.jobdir.JobMasks;
import dev.berth.hosts.jobdir.JobOutput;
import dev.berth.hosts.jobdir.JobStore;
import dev.berth.hosts.jobdir.Observation;
import dev.berth.hosts.jobdir.Observation.Absent;
import dev.berth.hosts.jobdir.Observation.Running;
import dev.berth.hosts.jobdir.Observation.State;
import dev.berth.hosts.jobdir.Observations;
import dev.berth.hosts.jobdir.OutputChunk;
import dev.berth.hosts.jobdir.OutputStreamName;
import dev.berth.hosts.process.ProcessRuntime;
import dev.berth.model.Container;
import dev.berth.model.JobObservation;
import dev.berth.model.JobRequest;
import dev.berth.spi.BackendException;
import dev.berth.spi.Execution;
import dev.berth.spi.JobDescription;
import dev.berth.spi.JobRuntime;
import dev.berth.spi.JobUsage;
import dev.berth.spi.Marks;
import dev.berth.spi.Owner;
import java.nio.channels.ByteChannel;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Runs jobs as containers of an engine. All that is known of a job is in its job directory, which
 * the container sees and its runner writes to, as with {@link ProcessRuntime}; the engine is asked
 * only whether the container runs. A server may be killed at any time: the next one goes on with
 * jobs whose image was being pulled, and finds the others by their files.
 */
public final class DockerRuntime implements JobRuntime, AutoCloseable {
  private static final System.Logger LOGGER = System.getLogger(DockerRuntime.class.getName());

  private final DockerHost host;
  private final Engine engine;
  private final JobStore store;
  private final ContainerStates states;
  private final DirectJobs direct;
  private final JobMasks masks;
  private final JobOutput output;
  private final ContainerEnds ends;
  private final RunNetworks networks;
  private final ContainerLaunches launches;
  private final ContainerStop end;
  private final ContainerAccess access;
  private final ImageGarbageCollection cleaning;

  /** Opens the root folder, and begins to follow the engine, which may not be there yet. */
  public DockerRuntime(DockerHost host) {
    this.host = host;
    this.engine = host.engine();
    this.store = JobStore.ofContainers(host.machine(), host.root(), host.clock().instant());
    this.states = new ContainerStates(host, store);
    this.direct = new DirectJobs(host, store);
    ContainerRunners runners = new ContainerRunners(engine, direct);
    JobEnd jobEnd = new JobEnd(store, runners, host.clock());
    this.masks = new JobMasks(host.machine().processes(), this::runnerProcess);
    this.output = new JobOutput(masks);
    this.ends = new ContainerEnds(states::state, host.clock());
    PulledImages pulled = new PulledImages(host.machine().files(), host.root().resolve("images"));
    this.networks = new RunNetworks(host, store);
    this.launches = new ContainerLaunches(host, store, states, jobEnd, direct, pulled, networks);
    this.end = new ContainerStop(host, store, states, runners, jobEnd, launches);
    this.cleaning =
        new ImageGarbageCollection(
            engine, host.machine().files(), pulled, host.images(), host.clock());
    this.access = new ContainerAccess(engine, host.machine().streams());
  }

  @Override
  public Instant start(JobRequest request) {
    JobRuntime.requireOnly(request, host.traits());
    Container container = request.container();
    if (container == null) {
      throw new BackendException.Permanent(
          "this backend runs jobs in containers; set 'image'", null);
    }
    return translated(
        () -> {
          JobDirectory directory = store.directory(request.attemptId());
          // A job that is there already needs nothing of what preparing it would take.
          if (!directory.exists()) {
            prepare(request, container);
          }
          launches.begin(request.attemptId());
          return host.clock().instant();
        });
  }

  private void prepare(JobRequest request, Container container) {
    if (!ImageName.isWrittenWell(container.image())) {
      throw new HostException(
          HostException.Code.INVALID,
          "'%s' is not a valid image name; expected lower case, as in ubuntu:24.04 or registry.example.com:5000/team/name:tag"
              .formatted(container.image()));
    }
    ContainerJob job =
        ContainerTranslation.job(
            request,
            container,
            host.defaults(),
            RunNetworks.nameFor(host, container, request.attemptId()),
            path -> host.machine().files().exists(MachinePath.of(path)),
            host.accelerators().apply(request.share().devices()));
    // Says no to what no shell could run, as long as somebody listens.
    ContainerTranslation.shellJob(job, List.of(":"), "/", job.environment());
    masks.remember(request.attemptId(), request.hidden());
    store.prepare(
        request.attemptId(),
        directory -> ContainerStaging.fill(directory, request, container, job, host.archives()));
  }

  @Override
  public void stop(String attemptId, Duration grace) {
    translated(() -> end.stop(attemptId, grace));
  }

  @Override
  public void kill(String attemptId) {
    translated(() -> end.kill(attemptId));
  }

  @Override
  public void remove(String attemptId) {
    translated(
        () -> {
          if (store.directory(attemptId).exists()) {
            end.kill(attemptId);
          }
          launches.end(attemptId);
          engine.remove(ContainerPaths.name(attemptId));
          networks.release(attemptId);
          store.remove(attemptId);
          masks.forget(attemptId);
          ends.forget(attemptId);
        });
  }

  @Override
  public List<JobObservation> observe(List<String> attemptIds) {
    return translated(
        () -> {
          return states.look().observe(attemptIds).stream()
              .map(seen -> Observations.of(seen.state(), seen.warnings()))
              .toList();
        });
  }

  @Override
  public JobDescription describe(String attemptId) {
    return translated(
        () -> {
          ContainerStates.Look look = states.look();
          Observation seen = look.observe(List.of(attemptId)).getFirst();
          State state = seen.state();
          if (state instanceof Absent) {
            throw unknown(attemptId);
          }
          String words =
              launches
                  .words(attemptId)
                  .or(() -> look.container(attemptId).map(Engine.Listed::status))
                  .filter(text -> !text.isBlank())
                  .orElse(Observations.word(state));
          List<String> warnings = seen.warnings();
          return new JobDescription(Observations.of(state, warnings), words, null, null, warnings);
        });
  }

  private static BackendException unknown(String attemptId) {
    return new BackendException.Gone("there is no attempt " + attemptId + " at this engine", null);
  }

  /** Jobs by their folders, and containers whose folder was lost. */
  @Override
  public List<String> list(Owner owner) {
    return translated(
        () -> {
          Set<String> keys = new TreeSet<>(store.attempts());
          engine.list(DockerLabels.BACKEND, DockerLabels.mark(host)).values().stream()
              .map(container -> container.labels().getOrDefault(Marks.KEY, ""))
              .filter(JobDirectory::isValidId)
              .forEach(keys::add);
          return List.copyOf(keys);
        });
  }

  @Override
  public AutoCloseable watch(Consumer<String> changed) {
    return translated(() -> launches.watch(changed));
  }

  @Override
  public Output read(String attemptId, Stream stream, long offset, int maxBytes) {
    OutputChunk chunk =
        translated(
            () -> {
              JobDirectory directory = store.directory(attemptId);
              if (!directory.exists()) {
                throw unknown(attemptId);
              }
              return output.read(
                  attemptId,
                  directory,
                  () -> ends.isOver(attemptId, directory),
                  OutputStreamName.of(stream),
                  offset,
                  maxBytes);
            });
    return new Output(chunk.bytes(), chunk.nextOffset(), chunk.ended());
  }

  /** What the job hides is in the environment of its runner, the container's first process. */
  private OptionalLong runnerProcess(JobDirectory directory) {
    return engine
        .find(ContainerPaths.name(directory.attemptId()))
        .filter(ContainerFacts::running)
        .map(container -> OptionalLong.of(container.pid()))
        .orElse(OptionalLong.empty());
  }

  @Override
  public Execution exec(String attemptId, List<String> command) {
    return translated(
        () -> {
          requireRunning(attemptId);
          ContainerJob job = ContainerJob.read(store.directory(attemptId));
          return access.exec(attemptId, command, new LinkedHashMap<>(job.environment()));
        });
  }

  @Override
  public ByteChannel connect(String attemptId, int port) {
    return translated(
        () -> {
          requireRunning(attemptId);
          return access.connect(attemptId, port);
        });
  }

  @Override
  public Map<String, JobUsage> usage(List<String> attemptIds) {
    return translated(
        () -> {
          ContainerStates.Look look = states.look();
          ContainerUsage usage = new ContainerUsage(engine);
          Map<String, JobUsage> found = new LinkedHashMap<>();
          for (Observation seen : look.observe(attemptIds)) {
            if (seen.state() instanceof Running) {
              usage(usage, seen.attemptId()).ifPresent(one -> found.put(seen.attemptId(), one));
            }
          }
          return found;
        });
  }

  /** That one cannot be measured keeps nobody from the others. */
  private Optional<JobUsage> usage(ContainerUsage usage, String attemptId) {
    try {
      return usage.of(attemptId, store.directory(attemptId));
    } catch (HostException failure) {
      LOGGER.log(System.Logger.Level.WARNING, "What a job uses is not known", failure);
      return Optional.empty();
    }
  }

  private void requireRunning(String attemptId) {
    if (!(states.state(attemptId) instanceof Running)) {
      throw new BackendException.Gone("the attempt " + attemptId + " does not run", null);
    }
  }

  /** Deletes images of ours that are over; happens by itself once an hour. */
  public void cleanImages() {
    translated(cleaning::clean);
  }

  /** Lets go of the engine. Jobs go on; pulls are taken up again by whoever opens next. */
  @Override
  public void close() {
    launches.close();
    direct.close();
    cleaning.close();
  }
}
