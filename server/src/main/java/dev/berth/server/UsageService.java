package dev.berth.server;

import dev.berth.control.ControlPlane;
import dev.berth.control.MeasuredJob;
import dev.berth.model.Attempt;
import dev.berth.model.BackendKey;
import dev.berth.model.JobStatus;
import dev.berth.model.Run;
import dev.berth.model.api.JobUsageView;
import dev.berth.model.api.RunUsageView;
import dev.berth.spi.Compute;
import dev.berth.spi.Trait;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What runs use. Shows what was measured before and asks no backend, so that nobody waits. */
record UsageService(ControlPlane control, Store store) {
  private static final double NANOS = 1e9;

  RunUsageView usage(String project, String name) {
    Run run = store.run(project, name);
    Map<String, MeasuredJob> measured =
        control.usage().stream()
            .filter(job -> job.runId().equals(run.id()))
            .collect(Collectors.toMap(MeasuredJob::attemptId, Function.identity()));
    List<JobUsageView> jobs =
        run.active()
            ? store.attempts(run.id()).stream()
                .filter(attempt -> attempt.status() == JobStatus.RUNNING)
                .map(attempt -> view(attempt, measured.get(attempt.id())))
                .toList()
            : List.of();
    return new RunUsageView(run.name(), run.status().word(), jobs);
  }

  private JobUsageView view(Attempt attempt, @Nullable MeasuredJob measured) {
    int node = Attempt.numberOf(attempt.jobId());
    String backend = BackendKey.nameOrNull(attempt.backend());
    return measured == null
        ? new JobUsageView(
            attempt.id(),
            node,
            backend,
            null,
            null,
            null,
            null,
            null,
            List.of(),
            reason(attempt, backend))
        : new JobUsageView(
            attempt.id(),
            node,
            backend,
            measured.usage().at(),
            measured.usage().processorTime().toNanos() / NANOS,
            measured.processors(),
            measured.usage().memoryBytes(),
            measured.usage().memoryLimitBytes(),
            measured.gpuUtilisation(),
            null);
  }

  private String reason(Attempt attempt, @Nullable String backend) {
    Compute compute = attempt.backend() == null ? null : control.backends().get(attempt.backend());
    // Where the backend runs no jobs, Berth does, and measures them.
    return compute == null || compute.runtime().isEmpty() || compute.traits().has(Trait.USAGE)
        ? "there are no figures yet; the server takes a sample every few seconds"
        : "the backend '" + backend + "' does not report what jobs use";
  }
}
