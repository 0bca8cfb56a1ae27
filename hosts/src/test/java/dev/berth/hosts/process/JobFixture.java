package dev.berth.hosts.process;

import static dev.berth.hosts.access.local.ThisMachine.path;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.hosts.access.ControlGroups;
import dev.berth.hosts.access.local.Cgroups;
import dev.berth.hosts.access.local.LocalAccess;
import dev.berth.hosts.access.local.ThisMachine;
import dev.berth.hosts.jobdir.JobDirectory;
import dev.berth.hosts.jobdir.Observation;
import dev.berth.hosts.jobdir.Observation.Exited;
import dev.berth.hosts.jobdir.Observation.Lost;
import dev.berth.hosts.jobdir.Observation.Running;
import dev.berth.hosts.jobdir.Observation.State;
import dev.berth.hosts.jobdir.OutputChunk;
import dev.berth.hosts.jobdir.OutputStreamName;
import dev.berth.hosts.jobdir.ShellJob;
import dev.berth.hosts.jobdir.Watch;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A runtime on a folder of its own, whose watch lets tests wait for a state. When it is closed it
 * removes every job, and fails if any process that carries the mark of one of them is left.
 */
public final class JobFixture implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  final Path root;
  public final ProcessRuntime runtime;
  private final Watch watch;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private long changes;

  public JobFixture(Path root) {
    this(root, JobShell.DASH, Cgroups.detect());
  }

  public JobFixture(Path root, JobShell shell, Cgroups cgroups) {
    this(settings(root.resolve("host"), shell, cgroups));
  }

  public JobFixture(HostSettings settings) {
    this.root = path(settings.root());
    this.runtime = new ProcessRuntime(settings);
    this.watch = runtime.watch(_ -> signal());
  }

  static HostSettings settings(Path root, JobShell shell, Cgroups cgroups) {
    Map<String, String> environment = new HashMap<>(System.getenv());
    environment.put("PATH", shell.searchPath());
    return new HostSettings(
        new LocalAccess(environment, cgroups), path(root), shell.command(), InstantSource.system());
  }

  /** What a job would be given here, with a limit of memory or without. */
  public static ControlGroups.Placement probe(@Nullable Long memoryBytes) {
    ControlGroups groups = Cgroups.detect();
    ControlGroups.Placement probe = groups.place("probe", null, memoryBytes);
    groups.remove(probe.groups());
    return probe;
  }

  static ShellJob spec(String attemptId, String... commands) {
    return new ShellJob(
        attemptId,
        "sh",
        List.of(commands),
        null,
        Map.of(),
        Duration.ofSeconds(20),
        null,
        null,
        null,
        List.of());
  }

  static ShellJob with(
      ShellJob spec,
      Map<String, String> env,
      Duration stopDuration,
      @Nullable Duration maxDuration) {
    return new ShellJob(
        spec.attemptId(),
        spec.shell(),
        spec.commands(),
        spec.workingDirectory(),
        env,
        stopDuration,
        maxDuration,
        spec.cpus(),
        spec.memoryBytes(),
        spec.inputs());
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

  void launch(ShellJob spec) {
    runtime.prepare(spec);
    runtime.start(spec.attemptId());
  }

  public Exited run(ShellJob spec) {
    launch(spec);
    return awaitExit(spec.attemptId());
  }

  public Exited awaitExit(String attemptId) {
    return (Exited) await(attemptId, state -> state instanceof Exited || state instanceof Lost);
  }

  /**
   * Waits until the job runs and has written at least one line, so that its first commands are
   * over.
   */
  Running awaitFirstLine(String attemptId) {
    Running running = (Running) await(attemptId, Running.class::isInstance);
    awaitOutput(attemptId, "\n");
    return running;
  }

  /** Waits until the job has written some words. */
  void awaitOutput(String attemptId, String words) {
    awaitFile(attemptId, "stdout", text -> text.contains(words));
  }

  /** Waits until a file of the job says something, and tells all that it says. */
  String awaitFile(String attemptId, String name, Predicate<String> wanted) {
    try (FileGrowth growth = new FileGrowth(path(directory(attemptId).file(name)))) {
      return growth.await(wanted, PATIENCE);
    }
  }

  State await(String attemptId, Predicate<State> wanted) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    lock.lock();
    try {
      while (true) {
        State state = state(attemptId);
        if (wanted.test(state)) {
          return state;
        }
        long left = deadline - System.nanoTime();
        assertThat(left).as("patience with attempt %s, which is %s", attemptId, state).isPositive();
        long seen = changes;
        while (seen == changes && left > 0) {
          left = changed.awaitNanos(left);
        }
      }
    } catch (InterruptedException interrupted) {
      throw new IllegalStateException(interrupted);
    } finally {
      lock.unlock();
    }
  }

  State state(String attemptId) {
    return runtime.observe(List.of(attemptId)).getFirst().state();
  }

  public JobDirectory directory(String attemptId) {
    return new JobDirectory(
        ThisMachine.ACCESS.files(), path(root.resolve("jobs").resolve(attemptId)));
  }

  byte[] output(String attemptId, OutputStreamName stream) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    long offset = 0;
    while (true) {
      OutputChunk chunk = runtime.read(attemptId, stream, offset, 1 << 16);
      all.writeBytes(chunk.bytes());
      offset = chunk.nextOffset();
      if (chunk.ended()) {
        return all.toByteArray();
      }
    }
  }

  public String text(String attemptId) {
    return new String(output(attemptId, OutputStreamName.STDOUT), StandardCharsets.UTF_8);
  }

  /**
   * The processes that belong to an attempt by their mark, whatever session or parent they have.
   */
  List<Long> processes(String attemptId) {
    return marked("BERTH_JOB_DIRECTORY=" + directory(attemptId).path() + "/");
  }

  private static List<Long> marked(String mark) {
    List<Long> found = new ArrayList<>();
    ProcessHandle.allProcesses()
        .forEach(
            process -> {
              try {
                Path environ = Path.of("/proc", String.valueOf(process.pid()), "environ");
                if (Files.readString(environ, StandardCharsets.ISO_8859_1).contains(mark)) {
                  found.add(process.pid());
                }
              } catch (IOException gone) {
                // Ended meanwhile, or somebody else's.
              }
            });
    return found;
  }

  /** The runners and their children: whatever works in the folder of jobs without being a job. */
  private List<Long> supervisors() {
    List<Long> left = new ArrayList<>();
    List<ProcessHandle> running =
        ProcessHandle.allProcesses()
            .filter(process -> process.info().commandLine().orElse("").contains(root + "/runner-"))
            .toList();
    for (ProcessHandle process : running) {
      try {
        process.onExit().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      } catch (ExecutionException | TimeoutException | InterruptedException failure) {
        left.add(process.pid());
      }
    }
    return left;
  }

  @Override
  public void close() {
    for (Observation observation : runtime.observeAll()) {
      runtime.remove(observation.attemptId());
    }
    watch.close();
    List<Long> left = marked("BERTH_JOB_DIRECTORY=" + root);
    left.forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
    assertThat(left).as("processes of jobs that are left").isEmpty();
    assertThat(supervisors()).as("runners that are left").isEmpty();
    try (Stream<Path> folders = Files.list(root.resolve("jobs"))) {
      assertThat(folders).isEmpty();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
