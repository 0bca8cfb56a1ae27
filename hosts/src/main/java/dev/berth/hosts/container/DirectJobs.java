package dev.berth.hosts.container;

import dev.berth.hosts.HostException;
import dev.berth.hosts.docker.ContainerFacts;
import dev.berth.hosts.docker.Engine;
import dev.berth.hosts.docker.EngineException;
import dev.berth.hosts.docker.EngineRefusal;
import dev.berth.hosts.docker.EngineResponse;
import dev.berth.hosts.docker.LogFrames;
import dev.berth.hosts.jobdir.ExitReason;
import dev.berth.hosts.jobdir.ExitRecord;
import dev.berth.hosts.jobdir.JobDirectory;
import dev.berth.hosts.jobdir.JobStore;
import dev.berth.hosts.jobdir.JobWarnings;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
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
  private static final System.Logger LOGGER = System.getLogger(DirectJobs.class.getName());
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final Duration END_PATIENCE = Duration.ofSeconds(50);
  private static final String NO_PROCESS = "0 0";

  private final Engine engine;
  private final JobStore store;
  private final InstantSource clock;
  private final String bootId;
  private final Map<String, Thread> followers = new ConcurrentHashMap<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final DirectStops stops;

  /** Jobs that ran when their engine went away. Written by their followers. */
  private final Set<String> cutOff = ConcurrentHashMap.newKeySet();

  DirectJobs(DockerHost host, JobStore store) {
    this.engine = host.engine();
    this.store = store;
    this.clock = host.clock();
    this.bootId = host.machine().processes().bootId();
    this.stops = new DirectStops(engine, clock, closed);
  }

  static boolean isDirect(JobDirectory directory) {
    return directory.has(JobDirectory.DIRECT);
  }

  /** Takes the claim for a job; false where it was stopped before. */
  boolean claim(JobDirectory directory) {
    directory.replace(JobDirectory.DIRECT, "");
    String claim = NO_PROCESS + " " + bootId;
    return directory.createOnce("runner", claim + "\n")
        || directory.text("runner").map(String::strip).filter(claim::equals).isPresent();
  }

  /** Whether the engine ended a job with itself, so that its exit code says nothing. */
  static boolean isLost(JobDirectory directory) {
    return directory.has(JobDirectory.LOST);
  }

  /**
   * Starts a claimed job where it has not begun, and follows it to its end. Idempotent.
   *
   * @param start starts its container; throws HostException with a sentence where it never will
   */
  void follow(String attemptId, Runnable start) {
    followers.computeIfAbsent(
        attemptId, id -> Thread.ofVirtual().name("direct-" + id).start(() -> run(id, start)));
  }

  /** The same for a job of a server that was killed. */
  void follow(String attemptId) {
    follow(attemptId, () -> start(store.directory(attemptId)));
  }

  private void start(JobDirectory directory) {
    try {
      engine.start(ContainerPaths.name(directory.attemptId()));
    } catch (EngineException refused) {
      if (refused.isSilence()) {
        throw refused;
      }
      ContainerJob job = ContainerJob.read(directory);
      String sentence =
          switch (EngineRefusal.of(refused.words(), job.asked())) {
            case EngineRefusal.Without(_, String warning) -> warning;
            case EngineRefusal.Later(String why) -> why;
            case EngineRefusal.Final(String why) -> why;
          };
      throw new HostException(HostException.Code.INVALID, sentence, refused);
    }
  }

  private void run(String attemptId, Runnable start) {
    try {
      while (!followOnce(attemptId, start)) {
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
      cutOff.remove(attemptId);
    }
  }

  /** Whether there is nothing more to follow. */
  private boolean followOnce(String attemptId, Runnable start) {
    JobDirectory directory = store.directory(attemptId);
    String name = ContainerPaths.name(attemptId);
    try {
      Optional<ContainerFacts> found = engine.find(name);
      if (found.isEmpty() || isSettled(directory)) {
        return true;
      }
      if (found.get().isNew()) {
        begin(start);
        // What happened to the engine before is nothing to a program that had not begun.
        cutOff.remove(attemptId);
        found = engine.find(name);
      }
      if (found.filter(ContainerFacts::running).isPresent()) {
        cutOff.remove(attemptId);
      }
      begun(attemptId, directory, found.flatMap(ContainerFacts::startedAt).orElse(clock.instant()));
      copyLog(name, directory);
      Optional<ContainerFacts> last = engine.find(name);
      if (last.filter(ContainerFacts::running).isPresent()) {
        return false;
      }
      last.ifPresent(facts -> ended(attemptId, directory, facts));
      return true;
    } catch (EngineException failure) {
      return !isToBeTriedAgain(attemptId, directory, failure);
    } catch (HostException failure) {
      return !isToBeTriedAgain(attemptId, directory, failure);
    } catch (IOException cut) {
      LOGGER.log(System.Logger.Level.DEBUG, "The log of a job was cut off", cut);
      noteWhetherTheEngineIsGone(attemptId, name);
      return !directory.exists();
    }
  }

  private static void begin(Runnable start) {
    try {
      start.run();
    } catch (EngineException refused) {
      if (refused.isSilence()) {
        throw refused;
      }
      throw new HostException(
          HostException.Code.INVALID, "the engine failed: " + refused.words(), refused);
    }
  }

  private static boolean isSettled(JobDirectory directory) {
    return !directory.exists() || directory.exit().isPresent() || isLost(directory);
  }

  /** An engine that says no to something else than the start leaves the program running. */
  private boolean isToBeTriedAgain(
      String attemptId, JobDirectory directory, EngineException failure) {
    if (failure.isUnreachable()) {
      cutOff.add(attemptId);
    }
    LOGGER.log(System.Logger.Level.DEBUG, "A job's engine does not answer well", failure);
    return directory.exists();
  }

  /** A disk that is full may have room later, and until then nobody can say how the job ended. */
  private boolean isToBeTriedAgain(
      String attemptId, JobDirectory directory, HostException failure) {
    if (isSettled(directory)) {
      return false;
    }
    if (failure.mayPass()) {
      LOGGER.log(System.Logger.Level.WARNING, "A job's end is not written yet", failure);
      return true;
    }
    directory.replace("failure", failure.getMessage() + "\n");
    end(attemptId, directory, ExitRecord.neverRan(ExitReason.START_FAILED, clock.instant()));
    return false;
  }

  private void copyLog(String name, JobDirectory directory) throws IOException {
    EngineResponse opened;
    try {
      opened = engine.logs(name);
    } catch (EngineException refused) {
      if (refused.isSilence()) {
        throw refused;
      }
      JobWarnings.add(
          directory, "the engine does not tell what the program prints: " + refused.words());
      engine.awaitEnd(name, END_PATIENCE);
      return;
    }
    try (EngineResponse log = opened) {
      new LogCopy(directory).copy(new LogFrames(log.body()));
    }
  }

  /** An engine that stops hangs up first, and ends its containers then. */
  private void noteWhetherTheEngineIsGone(String attemptId, String name) {
    try {
      engine.find(name);
    } catch (EngineException failure) {
      if (failure.isUnreachable()) {
        cutOff.add(attemptId);
      }
    }
  }

  private void begun(String attemptId, JobDirectory directory, Instant at) {
    if (directory.createOnce("process", NO_PROCESS + "\n")) {
      directory.setModified("process", at);
      store.announce(attemptId);
    }
    Long most = ContainerJob.read(directory).maxDurationMillis();
    if (most != null) {
      stops.after(
          Duration.between(clock.instant(), at.plusMillis(most)),
          () ->
              stops.ask(
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
                stops.ask(
                    directory,
                    request.reason(),
                    Duration.ofMillis(request.graceHundredths() * 10)));
  }

  private void ended(String attemptId, JobDirectory directory, ContainerFacts facts) {
    boolean asked = directory.text("ending").isPresent();
    if (!asked && cutOff.contains(attemptId) && !engine.keepsContainers()) {
      directory.createOnce(JobDirectory.LOST, "");
      store.announce(attemptId);
      return;
    }
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
