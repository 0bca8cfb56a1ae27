package dev.berth.hosts.container;

import dev.berth.hosts.HostException;
import dev.berth.hosts.docker.ContainerFacts;
import dev.berth.hosts.docker.Engine;
import dev.berth.hosts.jobdir.JobDirectory;
import dev.berth.hosts.jobdir.JobObserver;
import dev.berth.hosts.jobdir.JobStore;
import dev.berth.hosts.jobdir.Observation;
import dev.berth.hosts.jobdir.Observation.Lost;
import dev.berth.hosts.jobdir.Observation.State;
import dev.berth.hosts.jobdir.OutputSizes;
import dev.berth.hosts.jobdir.RunnerLiveness;
import dev.berth.hosts.jobdir.RunnerLiveness.ContainerLife;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Tells how jobs in containers are, from their files and from what the engine says. */
final class ContainerStates {
  private static final Lost UNREADABLE =
      new Lost(
          "the server can no longer read the job's folder: the job has given it to another user",
          OutputSizes.NONE);

  private final DockerHost host;
  private final Engine engine;
  private final JobStore store;
  private final JobObserver observer;

  ContainerStates(DockerHost host, JobStore store) {
    this.host = host;
    this.engine = host.engine();
    this.store = store;
    this.observer = new JobObserver(host.clock(), host.machine().processes().bootId());
  }

  State state(String attemptId) {
    return look().state(attemptId);
  }

  /** What one job does to its folder must not keep us from seeing the others. */
  private static State unreadable(HostException failure) {
    if (failure.code() != HostException.Code.DENIED) {
      throw failure;
    }
    return UNREADABLE;
  }

  /** For many jobs at once; not for later. */
  Look look() {
    return new Look();
  }

  /** One look at the engine for many jobs, and none where all have ended. */
  final class Look {
    private Optional<Map<String, Engine.Listed>> containers = Optional.empty();

    State state(String attemptId) {
      return state(store.directory(attemptId));
    }

    /** After one look at all their directories, too. */
    List<Observation> observe(Collection<String> attemptIds) {
      return observer.observe(store, attemptIds, this::life, ContainerStates::unreadable).stream()
          .map(this::explained)
          .toList();
    }

    State state(JobDirectory directory) {
      try {
        return explained(
            directory,
            observer.observe(directory, RunnerLiveness.ofContainer(() -> life(directory))));
      } catch (HostException failure) {
        return unreadable(failure);
      }
    }

    private RunnerLiveness life(String attemptId) {
      JobDirectory directory = store.directory(attemptId);
      return RunnerLiveness.ofContainer(() -> life(directory));
    }

    private Observation explained(Observation seen) {
      return new Observation(
          seen.attemptId(),
          explained(store.directory(seen.attemptId()), seen.state()),
          seen.warnings());
    }

    /** Says of a lost job what became of its container. */
    private State explained(JobDirectory directory, State state) {
      if (!(state instanceof Lost lost) || state.equals(UNREADABLE) || !directory.has("runner")) {
        return state;
      }
      Optional<ContainerFacts> container = engine.find(ContainerPaths.name(directory.attemptId()));
      return container.filter(ContainerFacts::running).isPresent()
          ? lost
          : new Lost(ContainerEnd.words(container), lost.sizes());
    }

    private ContainerLife life(JobDirectory directory) {
      Optional<Engine.Listed> listed = container(directory.attemptId());
      if (listed.isPresent()) {
        return life(directory, listed.get().hasEnded(), listed.get().isNew());
      }
      // The list may be of before the container was made.
      return engine
          .find(ContainerPaths.name(directory.attemptId()))
          .map(facts -> life(directory, facts.hasEnded(), facts.isNew()))
          .orElse(ContainerLife.ENDED);
    }

    private static ContainerLife life(JobDirectory directory, boolean hasEnded, boolean isNew) {
      // Of a job without a runner we ourselves write how it ended, a moment after its end.
      if (DirectJobs.isDirect(directory)) {
        return DirectJobs.isLost(directory) ? ContainerLife.ENDED : ContainerLife.RUNNING;
      }
      if (hasEnded) {
        return ContainerLife.ENDED;
      }
      return isNew ? ContainerLife.UNKNOWN : ContainerLife.RUNNING;
    }

    Optional<Engine.Listed> container(String attemptId) {
      if (containers.isEmpty()) {
        containers = Optional.of(engine.list(DockerLabels.BACKEND, DockerLabels.mark(host)));
      }
      return containers.map(all -> all.get(ContainerPaths.name(attemptId)));
    }
  }
}
