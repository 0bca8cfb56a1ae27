package dev.berth.hosts.container;

import dev.berth.hosts.HostException;
import dev.berth.hosts.docker.Engine;
import dev.berth.hosts.jobdir.ExitReason;
import dev.berth.hosts.jobdir.ExitRecord;
import dev.berth.hosts.jobdir.JobDirectory;
import dev.berth.hosts.jobdir.JobEnd;
import dev.berth.hosts.jobdir.JobStore;
import dev.berth.hosts.jobdir.Observation.Absent;
import dev.berth.hosts.jobdir.Observation.Exited;
import dev.berth.hosts.jobdir.Observation.Lost;
import dev.berth.hosts.jobdir.Observation.Prepared;
import dev.berth.hosts.jobdir.Observation.Running;
import dev.berth.hosts.jobdir.Observation.State;
import dev.berth.hosts.jobdir.Watch;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Ends jobs in containers, however far they are. */
final class ContainerStop {
  private static final System.Logger LOGGER = System.getLogger(ContainerStop.class.getName());
  private static final Duration RUNNER_PATIENCE = Duration.ofSeconds(10);

  /** What a shell tells of a process that KILL ended. */
  private static final int KILLED = 137;

  private final DockerHost host;
  private final Engine engine;
  private final JobStore store;
  private final ContainerStates states;
  private final ContainerRunners runners;
  private final JobEnd jobEnd;
  private final ContainerLaunches launches;

  ContainerStop(
      DockerHost host,
      JobStore store,
      ContainerStates states,
      ContainerRunners runners,
      JobEnd jobEnd,
      ContainerLaunches launches) {
    this.host = host;
    this.engine = host.engine();
    this.store = store;
    this.states = states;
    this.runners = runners;
    this.jobEnd = jobEnd;
    this.launches = launches;
  }

  /** Asks a job to end, and returns. */
  void stop(String attemptId, Duration grace) {
    request(attemptId, grace, ExitReason.STOPPED);
  }

  private void request(String attemptId, Duration grace, ExitReason reason) {
    jobEnd.request(attemptId, states.state(attemptId), grace, reason);
    launches.giveUpWhereEnded(attemptId);
  }

  /** Kills a job; when this returns nothing of it runs. */
  void kill(String attemptId) {
    JobDirectory directory = store.directory(attemptId);
    try {
      request(attemptId, Duration.ZERO, ExitReason.KILLED);
    } catch (HostException failure) {
      // What a job made of its folder must not keep it alive.
      LOGGER.log(System.Logger.Level.WARNING, "A job cannot be asked to end", failure);
    }
    State now = states.state(attemptId);
    if (now instanceof Absent) {
      return;
    }
    launches.end(attemptId);
    // Also of one that has ended: a job may write so itself, and go on.
    if (!engine.awaitEnd(ContainerPaths.name(attemptId), RUNNER_PATIENCE)) {
      runners.sweep(directory);
    }
    if (now instanceof Exited) {
      return;
    }
    boolean direct = DirectJobs.isDirect(directory);
    if (!direct && isAtWork(attemptId) && !awaitRunner(attemptId)) {
      throw new HostException(
          HostException.Code.NOT_KILLED,
          "the job does not end, and the engine does not know that it runs");
    }
    if (direct || states.state(attemptId) instanceof Lost) {
      // Nobody is left who could tell, or not yet.
      tellEnd(attemptId, directory);
    }
  }

  private void tellEnd(String attemptId, JobDirectory directory) {
    String line =
        new ExitRecord(OptionalInt.of(KILLED), ExitReason.KILLED, host.clock().instant()).line();
    try {
      if (!directory.createOnce("exit", line) && directory.exit().isEmpty()) {
        // What is there says nothing, and nobody is left who would make it say something.
        directory.replace("exit", line);
      }
    } catch (HostException failure) {
      LOGGER.log(System.Logger.Level.WARNING, "The end of a job cannot be written", failure);
    }
    store.announce(attemptId);
  }

  private boolean isAtWork(String attemptId) {
    State state = states.state(attemptId);
    return state instanceof Running || state instanceof Prepared;
  }

  /**
   * Waits for the runner of a container that its engine takes for new, and therefore cannot end.
   * False where it still runs when the time is over.
   */
  private boolean awaitRunner(String attemptId) {
    CountDownLatch ended = new CountDownLatch(1);
    Runnable look =
        () -> {
          if (!isAtWork(attemptId)) {
            ended.countDown();
          }
        };
    try (Watch _ =
        launches.watch(
            changed -> {
              if (changed.equals(attemptId)) {
                look.run();
              }
            })) {
      // It may have ended before the watch began.
      look.run();
      return ended.await(RUNNER_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new HostException(
          HostException.Code.NOT_KILLED, "waiting for a job's end was interrupted", interrupted);
    }
  }
}
