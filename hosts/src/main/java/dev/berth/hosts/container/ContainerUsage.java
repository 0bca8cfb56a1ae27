package dev.berth.hosts.container;

import dev.berth.hosts.docker.Engine;
import dev.berth.hosts.docker.EngineException;
import dev.berth.hosts.docker.EngineRefusal;
import dev.berth.hosts.jobdir.JobDirectory;
import dev.berth.hosts.jobdir.RecordedUsage;
import dev.berth.spi.JobUsage;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What jobs in containers use. A runner inside writes it down, as for processes: that costs no call
 * for each container, and engines take milliseconds to seconds for one. Where there is no runner
 * the engine is asked.
 */
record ContainerUsage(Engine engine) {
  private static final System.Logger LOGGER = System.getLogger(ContainerUsage.class.getName());

  Optional<JobUsage> of(String attemptId, JobDirectory directory) {
    return DirectJobs.isDirect(directory)
        ? measured(attemptId, directory)
        : RecordedUsage.last(directory, limit(directory));
  }

  private Optional<JobUsage> measured(String attemptId, JobDirectory directory) {
    try {
      return engine
          .stats(ContainerPaths.name(attemptId))
          .map(
              stats ->
                  new JobUsage(
                      stats.at(), stats.processorTime(), stats.memoryBytes(), limit(directory)));
    } catch (EngineException failure) {
      if (failure.isSilence()) {
        throw failure;
      }
      // That one cannot be measured keeps nobody from the others.
      LOGGER.log(System.Logger.Level.DEBUG, "What a container uses is not known", failure);
      return Optional.empty();
    }
  }

  /** What the job asked for, unless its host could not give that. */
  private static @Nullable Long limit(JobDirectory directory) {
    return directory.lines("warnings").stream()
            .anyMatch(line -> line.startsWith(EngineRefusal.NO_MEMORY_LIMIT))
        ? null
        : ContainerJob.read(directory).limits().memoryBytes();
  }
}
