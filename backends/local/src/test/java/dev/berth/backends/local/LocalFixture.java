package dev.berth.backends.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.hosts.gpus.FakeTools;
import dev.berth.hosts.gpus.GpuInventory;
import dev.berth.hosts.jobdir.Watch;
import dev.berth.hosts.process.ProcessJobRuntime;
import dev.berth.model.JobObservation;
import dev.berth.model.JobRequest;
import dev.berth.model.JobSpec;
import dev.berth.model.ResourceVector;
import dev.berth.spi.Archives;
import dev.berth.spi.JobRuntime;
import dev.berth.spi.JobRuntime.Stream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A local backend on a folder of its own, whose watch lets tests wait for a state. When it is
 * closed it removes every job that was asked for, and fails if a process of one is left.
 */
final class LocalFixture implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  final Path data;
  final Path work;
  final LocalCompute compute;
  final ProcessJobRuntime runtime;
  private final Watch watch;
  private final Set<String> attempts = new TreeSet<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private long changes;

  LocalFixture(Path folder) throws IOException {
    this(folder, new FakeTools(folder).inventory());
  }

  LocalFixture(Path folder, GpuInventory gpus) throws IOException {
    data = folder.resolve("data");
    work = Files.createDirectories(folder.resolve("work"));
    compute = open(gpus);
    runtime = compute.jobs();
    watch = runtime.watch(_ -> signal());
  }

  /** Another server on the same folder. */
  LocalCompute open(GpuInventory gpus) {
    return LocalBackendType.open("local", data, LocalSettings.USUAL, gpus, Archives.NONE);
  }

  /** A job that works in the folder {@link #work}, where it and the test leave each other files. */
  JobRequest request(String attemptId, String... commands) {
    return request(attemptId, Set.of(), List.of(), commands);
  }

  JobRequest request(
      String attemptId, Set<String> devices, List<JobSpec.File> files, String... commands) {
    attempts.add(attemptId);
    JobSpec spec =
        new JobSpec(
            null,
            List.of(commands),
            work.toString(),
            Map.of(),
            files,
            Duration.ofSeconds(20),
            null,
            JobSpec.Requirements.NONE);
    return new JobRequest(attemptId, spec, new ResourceVector(1, 0, 0, 0, devices));
  }

  private void signal() {
    lock.lock();
    try {
      changes++;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  JobObservation observe(String attemptId) {
    return runtime.observe(List.of(attemptId)).getFirst();
  }

  JobObservation.Exited run(JobRequest request) throws InterruptedException {
    runtime.start(request);
    return awaitExit(request.attemptId());
  }

  JobObservation.Exited awaitExit(String attemptId) throws InterruptedException {
    return (JobObservation.Exited)
        await(
            attemptId,
            state ->
                state instanceof JobObservation.Exited || state instanceof JobObservation.Lost);
  }

  JobObservation await(String attemptId, Predicate<JobObservation> wanted)
      throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    lock.lock();
    try {
      while (true) {
        JobObservation state = observe(attemptId);
        if (wanted.test(state)) {
          return state;
        }
        long left = deadline - System.nanoTime();
        assertThat(left).as("patience with %s, which is %s", attemptId, state).isPositive();
        long seen = changes;
        while (seen == changes && left > 0) {
          left = changed.awaitNanos(left);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Waits until the job has made a file in its working directory. */
  void awaitFile(String name) throws IOException, InterruptedException {
    FolderWatch.await(work, name, PATIENCE);
  }

  String text(String attemptId) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    JobRuntime.Output output = runtime.read(attemptId, Stream.STDOUT, 0, 1 << 16);
    all.writeBytes(output.bytes());
    while (!output.ended()) {
      output = runtime.read(attemptId, Stream.STDOUT, output.nextOffset(), 1 << 16);
      all.writeBytes(output.bytes());
    }
    return all.toString(StandardCharsets.UTF_8);
  }

  /** Processes that carry the mark of a job, or of any job here. */
  List<Long> processes(@Nullable String attemptId) throws IOException {
    String root = "BERTH_JOB_DIRECTORY=" + data.toRealPath() + "/";
    String mark = attemptId == null ? root : root + "jobs/jobs/" + attemptId + "/";
    List<Long> found = new ArrayList<>();
    for (ProcessHandle process : ProcessHandle.allProcesses().toList()) {
      try {
        Path environ = Path.of("/proc", String.valueOf(process.pid()), "environ");
        if (Files.readString(environ, StandardCharsets.ISO_8859_1).contains(mark)) {
          found.add(process.pid());
        }
      } catch (IOException gone) {
        // Ended meanwhile, or somebody else's.
      }
    }
    return found;
  }

  @Override
  public void close() throws IOException {
    attempts.forEach(runtime::remove);
    watch.close();
    compute.close();
    List<Long> left = processes(null);
    left.forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
    assertThat(left).as("processes of jobs that are left").isEmpty();
  }
}
