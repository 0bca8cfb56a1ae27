package dev.berth.hosts;

import dev.berth.hosts.docker.ContainerFacts;
import dev.berth.hosts.docker.Engine;
import dev.berth.hosts.docker.EngineException;
import dev.berth.hosts.docker.EngineResponse;
import dev.berth.hosts.docker.LogFrames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Jobs in images without a shell, where no runner can stand before the job. The server does what a
 * runner would: it copies the engine's log to the output files, keeps the time limits, and writes
 * how the job ended. While no server is there the container goes on, and the next one takes up
 * where the files end. Output is what the engine kept of it, so it is text only.
 */
final class DirectJobs implements AutoCloseable {
  /** Marks a job that has no runner. */
  static final String FILE = "direct";

  /** When the job is killed, in milliseconds since 1970. */
  static final String DEADLINE = "deadline";

  private static final System.Logger LOGGER = System.getLogger(DirectJobs.class.getName());
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final String NO_PROCESS = "0 0";

  private final Engine engine;
  private final JobStore store;
  private final InstantSource clock;
  private final Map<String, Thread> followers = new ConcurrentHashMap<>();
  private final CountDownLatch closed = new CountDownLatch(1);

  DirectJobs(Engine engine, JobStore store, InstantSource clock) {
    this.engine = engine;
    this.store = store;
    this.clock = clock;
  }

  static boolean isDirect(JobDirectory directory) {
    return Files.exists(directory.file(FILE));
  }

  /** Takes the claim for a job; false where it was stopped before. */
  static boolean claim(JobDirectory directory) {
    directory.replace(FILE, "");
    String claim = NO_PROCESS + " " + ProcessIdentity.bootId();
    return directory.createOnce("runner", claim + "\n")
        || directory.text("runner").map(String::strip).filter(claim::equals).isPresent();
  }

  /** Starts a claimed job where it has not begun, and follows it to its end. Idempotent. */
  void follow(String attemptId) {
    followers.computeIfAbsent(
        attemptId, id -> Thread.ofVirtual().name("direct-" + id).start(() -> run(id)));
  }

  private void run(String attemptId) {
    try {
      while (!followOnce(attemptId)) {
        if (closed.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS)) {
          return;
        }
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException failure) {
      LOGGER.log(System.Logger.Level.ERROR, "The job " + attemptId + " is not followed", failure);
    } finally {
      followers.remove(attemptId);
    }
  }

  /** Whether there is nothing more to follow. */
  private boolean followOnce(String attemptId) {
    JobDirectory directory = store.directory(attemptId);
    String name = ContainerPaths.name(attemptId);
    try {
      Optional<ContainerFacts> found = engine.find(name);
      if (found.isEmpty() || !directory.exists() || directory.exit().isPresent()) {
        return true;
      }
      if (found.get().isNew()) {
        engine.start(name);
        found = engine.find(name);
      }
      begun(attemptId, directory, found.flatMap(ContainerFacts::startedAt).orElse(clock.instant()));
      try (EngineResponse log = engine.logs(name)) {
        new LogCopy(directory).copy(new LogFrames(log.body()));
      }
      Optional<ContainerFacts> last = engine.find(name);
      if (last.filter(ContainerFacts::running).isPresent()) {
        return false;
      }
      last.ifPresent(facts -> ended(attemptId, directory, facts));
      return true;
    } catch (EngineException failure) {
      if (failure.isSilence()) {
        return false;
      }
      directory.replace("failure", "the engine refuses the container: " + failure.words() + "\n");
      end(attemptId, directory, ExitRecord.neverRan(ExitReason.START_FAILED, clock.instant()));
      return true;
    } catch (IOException cut) {
      LOGGER.log(System.Logger.Level.DEBUG, "The log of a job was cut off", cut);
      return !directory.exists();
    }
  }

  private void begun(String attemptId, JobDirectory directory, Instant at) throws IOException {
    if (directory.createOnce("process", NO_PROCESS + "\n")) {
      Files.setLastModifiedTime(directory.file("process"), FileTime.from(at));
      store.announce(attemptId);
    }
    Long most = ContainerJob.read(directory).maxDurationMillis();
    if (most != null) {
      after(
          Duration.between(clock.instant(), at.plusMillis(most)),
          () ->
              ask(
                  directory,
                  ExitReason.MAX_DURATION_EXCEEDED,
                  Duration.ofMillis(ContainerJob.read(directory).stopDurationMillis())));
    }
    directory.stopRequest().ifPresent(_ -> stop(directory));
  }

  /** Does what the file {@code stop} asks for. */
  void stop(JobDirectory directory) {
    directory
        .stopRequest()
        .ifPresent(
            request ->
                ask(
                    directory,
                    request.reason(),
                    Duration.ofMillis(request.graceHundredths() * 10)));
  }

  private void ask(JobDirectory directory, ExitReason reason, Duration grace) {
    if (!directory.exists() || directory.exit().isPresent()) {
      return;
    }
    String name = ContainerPaths.name(directory.attemptId());
    directory.createOnce("ending", reason.word() + "\n");
    long deadline = clock.instant().plus(grace).toEpochMilli();
    Optional<Long> before =
        directory
            .text(DEADLINE)
            .map(String::strip)
            .filter(text -> text.matches("[0-9]{1,18}"))
            .map(Long::valueOf);
    if (before.isEmpty()) {
      engine.kill(name, grace.isZero() ? "KILL" : "TERM");
    }
    // Later requests may shorten the time, never lengthen it.
    long earliest = Math.min(before.orElse(deadline), deadline);
    directory.replace(DEADLINE, earliest + "\n");
    after(
        Duration.ofMillis(earliest - clock.instant().toEpochMilli()),
        () -> engine.kill(name, "KILL"));
  }

  private void after(Duration delay, Runnable action) {
    Thread.ofVirtual()
        .name("direct-timer")
        .start(
            () -> {
              try {
                if (!closed.await(Math.max(0, delay.toMillis()), TimeUnit.MILLISECONDS)) {
                  done(action);
                }
              } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
              }
            });
  }

  private static void done(Runnable action) {
    try {
      action.run();
    } catch (EngineException | HostException failure) {
      LOGGER.log(System.Logger.Level.WARNING, "A job was not asked to end", failure);
    }
  }

  private void ended(String attemptId, JobDirectory directory, ContainerFacts facts) {
    ExitReason reason =
        directory
            .text("ending")
            .map(String::strip)
            .flatMap(ExitReason::find)
            .orElse(facts.outOfMemory() ? ExitReason.OUT_OF_MEMORY : ExitReason.EXITED);
    end(
        attemptId,
        directory,
        new ExitRecord(
            OptionalInt.of(facts.exitCode()), reason, facts.finishedAt().orElse(clock.instant())));
  }

  private void end(String attemptId, JobDirectory directory, ExitRecord exit) {
    directory.createOnce("exit", exit.line());
    store.announce(attemptId);
  }

  @Override
  public void close() {
    closed.countDown();
    followers.values().forEach(Thread::interrupt);
  }
}
