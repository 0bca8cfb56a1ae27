package dev.berth.control;

import dev.berth.spi.JobUsage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A running job with what it uses.
 *
 * @param runName the name of its run
 * @param node which of the run's jobs it is
 * @param usage as the backend told it last
 * @param processors how many it kept busy between the last two looks; null before the second
 * @param gpuUtilisation how busy each of its accelerators is, in percent; empty where that is not
 *     known
 */
public record MeasuredJob(
    String attemptId,
    String project,
    String runId,
    String runName,
    int node,
    String backend,
    JobUsage usage,
    @Nullable Double processors,
    List<Integer> gpuUtilisation) {
  public MeasuredJob {
    gpuUtilisation = List.copyOf(gpuUtilisation);
  }
}
