package dev.berth.hosts.container;

import dev.berth.hosts.HostException;
import dev.berth.hosts.docker.ContainerFacts;
import dev.berth.hosts.docker.Engine;
import dev.berth.hosts.docker.EngineEvents;
import dev.berth.hosts.docker.EngineException;
import dev.berth.hosts.images.PulledImages;
import dev.berth.hosts.jobdir.ExitReason;
import dev.berth.hosts.jobdir.JobDirectory;
import dev.berth.hosts.jobdir.JobEnd;
import dev.berth.hosts.jobdir.JobStore;
import dev.berth.hosts.jobdir.JobWatch;
import dev.berth.hosts.jobdir.Observation.Prepared;
import dev.berth.hosts.jobdir.Watch;
import dev.berth.model.Pauses;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The jobs that are on their way to a container, a thread for each, and what the engine tells of
 * those that are there. After every connection to the engine all jobs are looked at, so that what a
 * killed server began is brought to its end.
 */
final class ContainerLaunches implements AutoCloseable {
  private static final System.Logger LOGGER = System.getLogger(ContainerLaunches.class.getName());
  private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
  private static final Duration END_PATIENCE = Duration.ofSeconds(30);
  private static final int LAST_LINES = 5;
  private static final int SERVER_ERROR = 500;

  private final DockerHost host;
  private final Engine engine;
  private final JobStore store;
  private final ContainerStates states;
  private final JobEnd jobEnd;
  private final DirectJobs direct;
  private final PulledImages pulled;
  private final RunNetworks networks;
  private final Map<String, Task> tasks = new ConcurrentHashMap<>();
  private final List<JobWatch> watches = new CopyOnWriteArrayList<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final EngineEvents events;

  ContainerLaunches(
      DockerHost host,
      JobStore store,
      ContainerStates states,
      JobEnd jobEnd,
      DirectJobs direct,
      PulledImages pulled,
      RunNetworks networks) {
    this.host = host;
    this.engine = host.engine();
    this.store = store;
    this.states = states;
    this.jobEnd = jobEnd;
    this.direct = direct;
    this.pulled = pulled;
    this.networks = networks;
    this.events =
        new EngineEvents(engine, DockerLabels.BACKEND, DockerLabels.mark(host), new Changes());
  }

  /** A launch and its thread. */
  private record Task(ContainerLaunch launch, CountDownLatch done) {}

  private final class Changes implements EngineEvents.Listener {
    @Override
    public void connected() {
      store.attempts().forEach(this::lookAgain);
      try {
        networks.sweep();
      } catch (EngineException | HostException failure) {
        // A network too many harms nobody; each connection looks again.
        LOGGER.log(
            closed.getCount() > 0 ? System.Logger.Level.WARNING : System.Logger.Level.DEBUG,
            "Networks were not looked after",
            failure);
      }
    }

    /** What happened while we were cut off was told to nobody. */
    private void lookAgain(String attemptId) {
      // The trouble of one job must not keep us from the others.
      quietly(
          () -> {
            lookAfter(attemptId);
            if (store.directory(attemptId).exit().isEmpty()) {
              watches.forEach(watch -> watch.tell(attemptId));
            }
          });
    }

    @Override
    public void changed(String name, String action) {
      String attemptId = ContainerPaths.attempt(name);
      if (JobDirectory.isValidId(attemptId) && store.directory(attemptId).exists()) {
        if (action.equals("die")) {
          quietly(() -> lookAfter(attemptId));
        }
        watches.forEach(watch -> watch.tell(attemptId));
      }
    }
  }

  /** Goes on with a job that has not begun, or says why it never will. */
  private void lookAfter(String attemptId) {
    JobDirectory directory = store.directory(attemptId);
    if (directory.exit().isPresent() || directory.has("runner")) {
      forgetWhereEnded(directory);
      if (directory.exit().isEmpty() && DirectJobs.isDirect(directory)) {
        direct.follow(attemptId);
      }
      return;
    }
    if (directory.has(JobDirectory.LAUNCHED)) {
      endWhereOver(attemptId, directory);
    } else {
      begin(attemptId);
    }
  }

  /** Says of a container that was started, and is over, that no runner in it took the job. */
  private void endWhereOver(String attemptId, JobDirectory directory) {
    String name = ContainerPaths.name(attemptId);
    Optional<ContainerFacts> found = engine.find(name);
    boolean over = found.map(ContainerFacts::hasEnded).orElse(true);
    if (over && !directory.has("runner")) {
      String last = found.isPresent() ? engine.lastWords(name, LAST_LINES) : "it is gone";
      jobEnd.refuse(
          attemptId,
          directory,
          ExitReason.START_FAILED,
          "the container ended before the job began: " + last);
    }
  }

  /** Brings a prepared job to its container, in the background. Idempotent. */
  void begin(String attemptId) {
    if (closed.getCount() == 0) {
      // An event that was on its way; the next server begins what is left.
      return;
    }
    JobDirectory directory = store.directory(attemptId);
    // One of another boot is lost: whether it had begun is not known, and it must not run twice.
    if (!(states.state(attemptId) instanceof Prepared) || ContainerLaunch.isClaimed(directory)) {
      return;
    }
    tasks.computeIfAbsent(
        attemptId,
        id -> {
          Task task =
              new Task(
                  new ContainerLaunch(host, store, direct, pulled, networks, id),
                  new CountDownLatch(1));
          Thread.ofVirtual().name("launch-" + id).start(() -> run(id, task));
          return task;
        });
  }

  private void run(String attemptId, Task task) {
    try {
      Duration pause = FIRST_PAUSE;
      while (!attempt(attemptId, task.launch())) {
        if (closed.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
          return;
        }
        pause = Pauses.next(pause, LONGEST_PAUSE);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException failure) {
      LOGGER.log(System.Logger.Level.ERROR, "The job " + attemptId + " was not launched", failure);
      quietly(
          () ->
              fail(
                  attemptId,
                  store.directory(attemptId),
                  "the job could not be brought to its container, and the server's log says more: "
                      + failure));
    } finally {
      quietly(() -> forgetWhereEnded(store.directory(attemptId)));
      // The container may have ended before it was noted that it had begun.
      quietly(() -> endWhereOver(attemptId));
      // Last: where there is no task nobody works on the job any more.
      tasks.remove(attemptId, task);
      task.done().countDown();
    }
  }

  private void endWhereOver(String attemptId) {
    JobDirectory directory = store.directory(attemptId);
    if (directory.has(JobDirectory.LAUNCHED) && !directory.has("runner")) {
      endWhereOver(attemptId, directory);
    }
  }

  /** Does what is tried again at the next connection, or at the job's end. */
  private static void quietly(Runnable step) {
    try {
      step.run();
    } catch (EngineException | HostException failure) {
      LOGGER.log(System.Logger.Level.WARNING, "A job was not looked after", failure);
    }
  }

  /** Whether there is nothing more to do. */
  private boolean attempt(String attemptId, ContainerLaunch launch) {
    JobDirectory directory = store.directory(attemptId);
    try {
      launch.run();
      return true;
    } catch (EngineException failure) {
      if (!directory.exists() || directory.exit().isPresent()) {
        return true;
      }
      if (failure.isSilence() || (failure.status() >= SERVER_ERROR && launch.mayTryAgain())) {
        LOGGER.log(System.Logger.Level.DEBUG, "A launch waits for the engine", failure);
        return false;
      }
      fail(attemptId, directory, "the engine failed: " + failure.words());
      return true;
    } catch (HostException failure) {
      if (!directory.exists() || failure.code() == HostException.Code.ABSENT) {
        return true;
      }
      if (failure.mayPass()) {
        LOGGER.log(System.Logger.Level.DEBUG, "A launch is tried again", failure);
        return directory.exit().isPresent();
      }
      fail(attemptId, directory, String.valueOf(failure.getMessage()));
      return true;
    }
  }

  private void fail(String attemptId, JobDirectory directory, String sentence) {
    // Before anybody can see that it ended.
    forget(directory);
    jobEnd.refuse(attemptId, directory, ExitReason.START_FAILED, sentence);
  }

  /** How far a launch is; empty where none is on its way. */
  Optional<String> words(String attemptId) {
    return Optional.ofNullable(tasks.get(attemptId)).map(task -> task.launch().words());
  }

  /** Ends the pull of a job that will never run. */
  void giveUpWhereEnded(String attemptId) {
    JobDirectory directory = store.directory(attemptId);
    Task task = tasks.get(attemptId);
    if (task != null && directory.exit().isPresent()) {
      task.launch().giveUp();
    }
    forgetWhereEnded(directory);
  }

  /** A job that never ran has used none of its secrets, and nobody will. */
  private static void forgetWhereEnded(JobDirectory directory) {
    if (directory.exit().isPresent()) {
      forget(directory);
    }
  }

  private static void forget(JobDirectory directory) {
    directory.delete(JobDirectory.REGISTRY);
    directory.delete(ContainerStaging.SECRETS);
  }

  /** Waits until nobody works on a job that has ended. */
  void end(String attemptId) {
    Task task = tasks.get(attemptId);
    if (task == null) {
      return;
    }
    task.launch().giveUp();
    try {
      if (!task.done().await(END_PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new HostException(
            HostException.Code.MACHINE, "the launch of " + attemptId + " does not end");
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new HostException(
          HostException.Code.MACHINE, "waiting for a launch was interrupted", interrupted);
    }
  }

  Watch watch(Consumer<String> changed) {
    JobWatch watch = store.watch(changed, watches::remove);
    watches.add(watch);
    return watch;
  }

  @Override
  public void close() {
    closed.countDown();
    events.close();
    tasks.values().forEach(task -> task.launch().giveUp());
  }
}
