package dev.berth.hosts;

import dev.berth.hosts.Observation.Lost;
import dev.berth.hosts.Observation.State;
import dev.berth.hosts.RunnerLife.ContainerLife;
import dev.berth.hosts.docker.Engine;
import java.nio.file.Files;
import java.util.Map;
import java.util.Optional;

/** Tells how jobs in containers are, from their files and from what the engine says. */
final class ContainerStates {
  private final DockerHost host;
  private final Engine engine;
  private final JobStore store;
  private final JobObserver observer;

  ContainerStates(DockerHost host, JobStore store) {
    this.host = host;
    this.engine = host.engine();
    this.store = store;
    this.observer = new JobObserver(host.clock(), ProcessIdentity.bootId());
  }

  State state(String attemptId) {
    return look().state(attemptId);
  }

  /** For many jobs at once; not for later. */
  Look look() {
    return new Look();
  }

  /** One look at the engine for many jobs, and none where all have ended. */
  final class Look {
    private Optional<Map<String, Engine.Listed>> containers = Optional.empty();

    State state(String attemptId) {
      JobDirectory directory = store.directory(attemptId);
      boolean open = Files.exists(directory.file("runner")) && directory.exit().isEmpty();
      // First the engine, then the files: a runner writes how the job ended before it ends itself.
      ContainerLife life = open ? life(directory, container(attemptId)) : ContainerLife.ENDED;
      State state = observer.observe(directory, RunnerLife.ofContainer(life));
      return state instanceof Lost lost && open
          ? new Lost(ContainerEnd.words(engine.find(ContainerPaths.name(attemptId))), lost.sizes())
          : state;
    }

    private static ContainerLife life(JobDirectory directory, Optional<Engine.Listed> container) {
      if (container.isEmpty()) {
        return ContainerLife.ENDED;
      }
      // Of a job without a runner we ourselves write how it ended, a moment after its end.
      if (DirectJobs.isDirect(directory)) {
        return DirectJobs.isLost(directory) ? ContainerLife.ENDED : ContainerLife.RUNNING;
      }
      if (container.get().hasEnded()) {
        return ContainerLife.ENDED;
      }
      return container.get().isNew() ? ContainerLife.UNKNOWN : ContainerLife.RUNNING;
    }

    Optional<Engine.Listed> container(String attemptId) {
      if (containers.isEmpty()) {
        containers = Optional.of(engine.list(DockerLabels.BACKEND, DockerLabels.mark(host)));
      }
      return containers.map(all -> all.get(ContainerPaths.name(attemptId)));
    }
  }
}
