package dev.berth.hosts.container;

import dev.berth.hosts.HostException;
import dev.berth.hosts.access.ProcessIdentity;
import dev.berth.hosts.docker.Engine;
import dev.berth.hosts.docker.EngineException;
import dev.berth.hosts.jobdir.ExitReason;
import dev.berth.hosts.jobdir.JobDirectory;
import dev.berth.hosts.jobdir.RunnerControl;
import dev.berth.spi.Execution;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Reaches runners inside of containers, through the engine. */
final class ContainerRunners implements RunnerControl {
  private static final System.Logger LOGGER = System.getLogger(ContainerRunners.class.getName());
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Duration LINE_PATIENCE = Duration.ofSeconds(5);

  private final Engine engine;
  private final DirectJobs direct;

  ContainerRunners(Engine engine, DirectJobs direct) {
    this.engine = engine;
    this.direct = direct;
  }

  private static String name(JobDirectory directory) {
    return ContainerPaths.name(directory.attemptId());
  }

  /** Where this does not succeed the runner looks by itself, some seconds later. */
  @Override
  public void wake(JobDirectory directory, ExitReason reason) {
    if (DirectJobs.isDirect(directory)) {
      direct.stop(directory);
      return;
    }
    Optional<ProcessIdentity> watcher = directory.text("watcher").flatMap(ProcessIdentity::parse);
    if (watcher.isEmpty()) {
      return;
    }
    runIn(engine, name(directory), "kill -TERM " + watcher.get().pid());
  }

  /**
   * Runs a line of shell in a container, and waits for its end, but not for long: the shell is the
   * container's own, and what it does there is up to the job. What goes wrong is noted only.
   */
  static void runIn(Engine engine, String container, String line) {
    List<String> command = List.of(ContainerPaths.SHELL, "-c", line);
    CountDownLatch done = new CountDownLatch(1);
    try (Execution execution = engine.exec(container, command, Map.of(), () -> {})) {
      Thread.ofVirtual()
          .name("line-deadline")
          .start(() -> closeAfter(LINE_PATIENCE, done, execution));
      execution.input().close();
      execution.output().transferTo(OutputStream.nullOutputStream());
    } catch (EngineException | IOException failure) {
      LOGGER.log(System.Logger.Level.DEBUG, "A line was not run in a container", failure);
    } finally {
      done.countDown();
    }
  }

  private static void closeAfter(Duration patience, CountDownLatch done, Execution execution) {
    try {
      if (!done.await(patience.toMillis(), TimeUnit.MILLISECONDS)) {
        LOGGER.log(System.Logger.Level.DEBUG, "A container's shell does not end a line");
        execution.close();
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void sweep(JobDirectory directory) {
    engine.kill(name(directory), "KILL");
    if (!engine.awaitEnd(name(directory), PATIENCE)) {
      throw new HostException(
          HostException.Code.NOT_KILLED,
          "the container %s does not end".formatted(name(directory)));
    }
  }
}
