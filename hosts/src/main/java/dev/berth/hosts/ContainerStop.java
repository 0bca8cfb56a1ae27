package dev.berth.hosts;

import dev.berth.hosts.Observation.Absent;
import dev.berth.hosts.Observation.Exited;
import dev.berth.hosts.Observation.Lost;
import dev.berth.hosts.Observation.Prepared;
import dev.berth.hosts.Observation.Running;
import dev.berth.hosts.Observation.State;
import dev.berth.hosts.docker.Engine;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Ends jobs in containers, however far they are. */
final class ContainerStop {
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
    request(attemptId, Duration.ZERO, ExitReason.KILLED);
    State now = states.state(attemptId);
    if (now instanceof Exited || now instanceof Absent) {
      return;
    }
    launches.end(attemptId);
    if (!engine.awaitEnd(ContainerPaths.name(attemptId), RUNNER_PATIENCE)) {
      runners.sweep(directory);
    }
    boolean direct = DirectJobs.isDirect(directory);
    if (!direct && isAtWork(attemptId) && !awaitRunner(attemptId)) {
      throw new HostException(
          HostException.Code.NOT_KILLED,
          "the job does not end, and the engine does not know that it runs");
    }
    if (direct || states.state(attemptId) instanceof Lost) {
      // Nobody is left who could tell, or not yet.
      directory.createOnce(
          "exit",
          new ExitRecord(OptionalInt.of(KILLED), ExitReason.KILLED, host.clock().instant()).line());
      store.announce(attemptId);
    }
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
