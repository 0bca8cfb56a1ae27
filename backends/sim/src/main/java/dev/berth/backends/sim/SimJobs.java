package dev.berth.backends.sim;

import dev.berth.backends.sim.scenario.Fault;
import dev.berth.backends.sim.scenario.Operation;
import dev.berth.model.JobObservation;
import dev.berth.model.JobRequest;
import dev.berth.spi.Archives;
import dev.berth.spi.BackendException;
import dev.berth.spi.Execution;
import dev.berth.spi.Identity;
import dev.berth.spi.JobDescription;
import dev.berth.spi.JobRuntime;
import dev.berth.spi.JobUsage;
import dev.berth.spi.Owner;
import dev.berth.spi.Trait;
import dev.berth.spi.Traits;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.channels.ByteChannel;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Runs jobs in the simulated cloud: on its machines, or by themselves. */
final class SimJobs implements JobRuntime, AutoCloseable {
  private final SimCloud cloud;
  private final Owner owner;
  private final Traits traits;
  private final Identity identity;
  private final OwnJobs own;
  private final Archives archives;

  /** The watches that nobody has closed; their own closing takes them out. */
  private final Set<SimWatch> watches = ConcurrentHashMap.newKeySet();

  SimJobs(SimCloud cloud, Owner owner, Traits traits, Identity identity, Archives archives) {
    this.cloud = cloud;
    this.owner = owner;
    this.traits = traits;
    this.identity = identity;
    this.own = new OwnJobs(owner);
    this.archives = archives;
  }

  OwnJobs own() {
    return own;
  }

  @Override
  public Instant start(JobRequest request) {
    JobRuntime.requireOnly(request, traits);
    request.spec().files().forEach(file -> readThrough(file.archive()));
    SimJob job =
        cloud.call(
            Operation.START,
            "key=" + request.attemptId(),
            turn -> new Starting(turn, request, owner, traits).start(identity),
            SimJob::id);
    return job.course().askedAt().plus(cloud.skew());
  }

  /** Simulated commands see no files, so all that can be shown is that they would come. */
  private void readThrough(@Nullable String archive) {
    if (archive == null) {
      throw new BackendException.Permanent(
          "a simulated machine has no files of its own that a job could get", null);
    }
    try (InputStream content = archives.open(archive)) {
      content.transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      throw new BackendException.Transient("the files of a job could not be read", e);
    }
  }

  @Override
  public void stop(String attemptId, Duration grace) {
    cloud.run(
        Operation.STOP,
        "key=%s grace=%s".formatted(attemptId, grace),
        turn ->
            running(turn, attemptId)
                .forEach(
                    job -> turn.world().put(job.with(job.ending().stopped(turn.now(), grace)))));
  }

  @Override
  public void kill(String attemptId) {
    cloud.run(
        Operation.KILL,
        "key=" + attemptId,
        turn ->
            running(turn, attemptId)
                .forEach(job -> turn.world().put(job.with(job.ending().killed(turn.now())))));
  }

  /** All jobs of a key that can still be ended. */
  private List<SimJob> running(Turn turn, String attemptId) {
    return own.all(turn, attemptId).stream().filter(job -> !JobEnd.over(job, turn.now())).toList();
  }

  @Override
  public void remove(String attemptId) {
    cloud.run(
        Operation.REMOVE,
        "key=" + attemptId,
        turn -> {
          if (!turn.has(Fault.Kind.LOST_DELETE)) {
            own.all(turn, attemptId).forEach(job -> turn.world().put(job.removed(turn.now())));
          }
        });
  }

  @Override
  public List<JobObservation> observe(List<String> attemptIds) {
    return cloud.call(
        Operation.OBSERVE,
        String.join(",", attemptIds),
        turn -> attemptIds.stream().map(id -> observe(turn, id)).toList(),
        observed ->
            observed.stream()
                .map(observation -> observation.getClass().getSimpleName())
                .collect(Collectors.joining(",")));
  }

  private JobObservation observe(Turn turn, String attemptId) {
    Optional<SimJob> job =
        own.find(turn, attemptId)
            .filter(found -> !SimProvisioner.isTooNew(turn, found.course().askedAt()));
    job.ifPresent(found -> OwnJobs.requireReachable(turn, found));
    return job.map(found -> JobEnd.observation(found, turn.now(), cloud.skew()))
        .orElseGet(JobObservation.Absent::new);
  }

  @Override
  public JobDescription describe(String attemptId) {
    return cloud.call(
        Operation.DESCRIBE_JOB,
        "key=" + attemptId,
        turn -> {
          SimJob job = own.require(turn, attemptId);
          return new JobDescription(
              JobEnd.observation(job, turn.now(), cloud.skew()),
              status(job, turn.now()),
              URI.create("https://sim.invalid/jobs/" + job.id()),
              Shown.interruptedAt(job.course().interruption(), turn.now(), cloud.skew()));
        },
        JobDescription::providerStatus);
  }

  private static String status(SimJob job, Instant now) {
    if (job.waiting(now)) {
      return "queued at the provider";
    }
    return switch (JobEnd.observation(job, now, Duration.ZERO)) {
      case JobObservation.Prepared _ -> "the machine is booting";
      case JobObservation.Running _ -> "RUNNING";
      case JobObservation.Exited exited -> "ENDED_" + exited.cause();
      case JobObservation.Lost _, JobObservation.Absent _ -> "UNKNOWN";
    };
  }

  @Override
  public List<String> list(Owner whose) {
    return cloud.call(
        Operation.LIST_JOBS,
        "owner=" + whose.installation(),
        turn ->
            turn.world().jobs().stream()
                .filter(job -> job.belongsTo(whose.installation()) && listed(turn, job))
                .map(SimJob::key)
                .toList(),
        List::toString);
  }

  private boolean listed(Turn turn, SimJob job) {
    Instant now = turn.now();
    Instant removedAt = job.removedAt();
    Duration stale = turn.lasts(Fault.Kind.STALE_LIST);
    boolean shown =
        removedAt == null ? turn.world().visible(job, now) : now.isBefore(removedAt.plus(stale));
    return shown && !now.isBefore(job.course().askedAt().plus(SimProvisioner.lag(turn, identity)));
  }

  @Override
  public AutoCloseable watch(Consumer<String> changed) {
    SimWatch watch = new SimWatch(cloud, owner, changed);
    watches.add(watch);
    return () -> {
      watches.remove(watch);
      watch.close();
    };
  }

  @Override
  public Output read(String attemptId, Stream stream, long offset, int maxBytes) {
    return cloud.call(
        Operation.READ,
        "key=%s %s from %d".formatted(attemptId, stream, offset),
        turn -> read(own.require(turn, attemptId), stream, offset, maxBytes, turn.now()),
        output -> "%d bytes, ended %s".formatted(output.bytes().length, output.ended()));
  }

  private static Output read(SimJob job, Stream stream, long offset, int maxBytes, Instant now) {
    Optional<JobEnd> end = JobEnd.of(job).filter(found -> !now.isBefore(found.at()));
    Instant start = job.course().startAt();
    Instant last = end.map(JobEnd::at).orElse(now);
    byte[] all =
        start == null || last.isBefore(start) || job.wish().failure() != null
            ? new byte[0]
            : Script.of(job.wish().script(), job.wish().commandTime())
                .output(stream == Stream.STDERR, Duration.between(start, last));
    int from = Math.clamp(offset, 0, all.length);
    int to = (int) Math.min((long) from + Math.max(maxBytes, 0), all.length);
    return new Output(
        Arrays.copyOfRange(all, from, to),
        Math.max(offset, to),
        end.isPresent() && to == all.length);
  }

  @Override
  public Execution exec(String attemptId, List<String> command) {
    traits.require(Trait.EXEC);
    cloud.run(Operation.EXEC, "key=" + attemptId, turn -> own.requireRunning(turn, attemptId));
    return SimExecution.of(command);
  }

  @Override
  public ByteChannel connect(String attemptId, int port) {
    traits.require(Trait.CONNECT);
    cloud.run(
        Operation.CONNECT,
        "key=%s port=%d".formatted(attemptId, port),
        turn -> {
          SimJob job = own.requireRunning(turn, attemptId);
          if (!job.wish().ports().contains(port)) {
            throw new BackendException.Transient(
                "nothing is listening on port %d of the job %s".formatted(port, attemptId), null);
          }
        });
    return new EchoChannel();
  }

  @Override
  public Map<String, JobUsage> usage(List<String> attemptIds) {
    traits.require(Trait.USAGE);
    return new SimUsage(cloud, own).of(attemptIds);
  }

  /** How many jobs wait before each, for the same kind of machine. */
  Map<String, Integer> positions(List<String> attemptIds) {
    return cloud.call(
        Operation.QUEUE,
        String.join(",", attemptIds),
        turn -> {
          List<SimJob> waiting = turn.world().waiting(turn.now());
          Map<String, Integer> positions = new LinkedHashMap<>();
          for (int i = 0; i < waiting.size(); i++) {
            SimJob job = waiting.get(i);
            if (attemptIds.contains(job.key()) && job.belongsTo(owner.installation())) {
              long before =
                  waiting.subList(0, i).stream()
                      .filter(other -> other.site().equals(job.site()))
                      .count();
              positions.putIfAbsent(job.key(), (int) before);
            }
          }
          return positions;
        },
        Map::toString);
  }

  /** Ends all watches. Jobs go on. */
  @Override
  public void close() {
    watches.forEach(SimWatch::close);
    watches.clear();
  }
}
