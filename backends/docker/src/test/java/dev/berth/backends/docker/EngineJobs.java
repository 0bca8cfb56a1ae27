package dev.berth.backends.docker;

import dev.berth.model.Container;
import dev.berth.model.JobObservation;
import dev.berth.model.JobRequest;
import dev.berth.model.JobSpec;
import dev.berth.model.ResourceVector;
import dev.berth.spi.BackendContext;
import dev.berth.spi.Compute;
import dev.berth.spi.JobRuntime;
import dev.berth.spi.JobUsage;
import dev.berth.spi.Owner;
import dev.berth.spi.config.ConfigReader;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Jobs at an engine, and how a test waits for them. */
final class EngineJobs implements AutoCloseable {
  /** Looks are woken by changes; this is for those that nobody tells. */
  private static final long LONGEST_WAIT_MS = 500;

  private static final int LOOKS = 400;

  private final JobRuntime runtime;
  private final AutoCloseable owner;
  private final Semaphore changes = new Semaphore(0);
  private final AutoCloseable watch;
  private final List<String> started = new ArrayList<>();

  EngineJobs(TestEngine engine, Path directory) {
    this(engine, directory, Map.of(), InstantSource.system());
  }

  /**
   * With settings besides the engine's address. Where several are at one engine at a time, each is
   * an owner, so that none clears away what another has.
   */
  EngineJobs(TestEngine engine, Path directory, Map<String, ?> settings, Owner owner) {
    this(open(engine, directory, settings, owner, InstantSource.system()));
  }

  /** The same, by a clock of the test. */
  EngineJobs(TestEngine engine, Path directory, Map<String, ?> settings, InstantSource clock) {
    this(open(engine, directory, settings, new Owner("test"), clock));
  }

  private EngineJobs(Compute compute) {
    this(compute.runtime().orElseThrow(), compute);
  }

  /** With a runtime that a test made by itself. */
  EngineJobs(JobRuntime runtime, AutoCloseable owner) {
    this.runtime = runtime;
    this.owner = owner;
    this.watch = runtime.watch(_ -> changes.release());
  }

  /** With a backend that a test opened by itself. */
  static EngineJobs of(Compute compute) {
    return new EngineJobs(compute);
  }

  private static Compute open(
      TestEngine engine,
      Path directory,
      Map<String, ?> settings,
      Owner owner,
      InstantSource clock) {
    Map<String, @Nullable Object> all = new HashMap<>(settings);
    all.putIfAbsent("host", engine.host());
    BackendContext context = new BackendContext("docker", owner, directory, Map.of(), clock);
    DockerBackendType type = new DockerBackendType();
    return type.open(ConfigReader.read(type.config(), all), context);
  }

  JobRuntime runtime() {
    return runtime;
  }

  static JobRequest request(Container container, String... commands) {
    return request(container, null, Map.of(), commands);
  }

  /** One in a shell and a folder that it names. */
  static JobRequest inShell(String shell, String folder, Container container, String... commands) {
    JobSpec spec =
        new JobSpec(
            shell,
            List.of(commands),
            folder,
            Map.of(),
            List.of(),
            Duration.ofSeconds(2),
            null,
            JobSpec.Requirements.NONE);
    return request(container, commands).with(spec);
  }

  static JobRequest request(
      Container container,
      @Nullable Duration longest,
      Map<String, String> environment,
      String... commands) {
    JobSpec spec =
        new JobSpec(
            null,
            List.of(commands),
            null,
            environment,
            List.of(),
            Duration.ofSeconds(2),
            longest,
            JobSpec.Requirements.NONE);
    return new JobRequest(
            "t-" + UUID.randomUUID(), spec, new ResourceVector(1, 1, 128, 0, Set.of()))
        .in(container);
  }

  String start(JobRequest request) {
    started.add(request.attemptId());
    runtime.start(request);
    return request.attemptId();
  }

  JobObservation.Exited awaitEnd(String job) throws InterruptedException {
    return await(job, JobObservation.Exited.class);
  }

  JobObservation.Running awaitRunning(String job) throws InterruptedException {
    return await(job, JobObservation.Running.class);
  }

  JobObservation.Lost awaitLost(String job) throws InterruptedException {
    return await(job, JobObservation.Lost.class);
  }

  /** Waits until the words about a job say something. */
  String awaitWords(String job, String wanted) throws InterruptedException {
    String words = runtime.describe(job).providerStatus();
    for (int look = 0; look < LOOKS && !words.contains(wanted); look++) {
      awaitChange();
      words = runtime.describe(job).providerStatus();
    }
    if (!words.contains(wanted)) {
      throw new AssertionError("nobody says '" + wanted + "', but '" + words + "'");
    }
    return words;
  }

  /** Waits until somebody has measured a job. */
  JobUsage awaitUsage(String job) throws InterruptedException {
    return awaitUsage(job, _ -> true);
  }

  /** Waits until somebody has measured what is expected of a job. */
  JobUsage awaitUsage(String job, Predicate<JobUsage> wanted) throws InterruptedException {
    JobUsage usage = runtime.usage(List.of(job)).get(job);
    for (int look = 0; look < LOOKS && (usage == null || !wanted.test(usage)); look++) {
      awaitChange();
      usage = runtime.usage(List.of(job)).get(job);
    }
    return Objects.requireNonNull(usage, "nobody measures the job");
  }

  /** Many changes are one reason to look again, so that those of other jobs use up no looks. */
  private void awaitChange() throws InterruptedException {
    if (changes.tryAcquire(LONGEST_WAIT_MS, TimeUnit.MILLISECONDS)) {
      changes.drainPermits();
    }
  }

  private <T extends JobObservation> T await(String job, Class<T> wanted)
      throws InterruptedException {
    JobObservation seen = runtime.observe(List.of(job)).getFirst();
    for (int look = 0; look < LOOKS && !wanted.isInstance(seen); look++) {
      awaitChange();
      seen = runtime.observe(List.of(job)).getFirst();
      if (seen instanceof JobObservation.Exited && !wanted.isInstance(seen)) {
        break;
      }
    }
    if (!wanted.isInstance(seen)) {
      throw new AssertionError("the job is not " + wanted.getSimpleName() + " but " + seen);
    }
    return wanted.cast(seen);
  }

  /** Waits until a job has printed something. */
  void awaitOutput(String job, String wanted) throws InterruptedException {
    awaitRunning(job);
    for (int look = 0; look < LOOKS; look++) {
      if (output(job, JobRuntime.Stream.STDOUT).contains(wanted)) {
        return;
      }
      awaitChange();
    }
    throw new AssertionError("the job does not print " + wanted);
  }

  String output(String job, JobRuntime.Stream stream) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    JobRuntime.Output piece = runtime.read(job, stream, 0, 8192);
    all.writeBytes(piece.bytes());
    while (!piece.ended() && piece.bytes().length > 0) {
      piece = runtime.read(job, stream, all.size(), 8192);
      all.writeBytes(piece.bytes());
    }
    return all.toString(StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    try {
      end();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted before the jobs were gone", e);
    } catch (Exception e) {
      throw new IllegalStateException("the jobs cannot be let go of", e);
    }
  }

  void end() throws Exception {
    started.forEach(runtime::remove);
    drop();
  }

  /** Lets go of the engine and leaves the jobs, as a server that is ended. */
  void drop() throws Exception {
    watch.close();
    owner.close();
  }
}
