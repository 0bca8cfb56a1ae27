package dev.berth.server.metrics;

import dev.berth.control.MeasuredJob;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Unit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Figures of what running jobs use. Their labels are names of runs, so there are as many series as
 * running jobs, and never more than of {@link #MOST_JOBS}.
 */
public final class JobMetrics {
  /** Figures of so many jobs are shown at most, those that began first. */
  static final int MOST_JOBS = 2_000;

  /** Not {@code job}: Prometheus has a label of that name for what it asks. */
  private static final String[] LABELS = {"project", "run", "node"};

  private JobMetrics() {}

  /**
   * Adds them to what a server measures.
   *
   * @param usage what is known of now; it must not wait for anybody
   */
  public static void register(ServerMetrics metrics, Supplier<List<MeasuredJob>> usage) {
    PrometheusRegistry registry = metrics.registry();
    CounterWithCallback.builder()
        .name("berth_job_processor")
        .unit(Unit.SECONDS)
        .help("For how long the processes of a running job have computed.")
        .labelNames(LABELS)
        .callback(
            callback ->
                shown(usage)
                    .forEach(
                        job ->
                            callback.call(
                                job.usage().processorTime().toNanos() / 1e9, labels(job))))
        .register(registry);
    GaugeWithCallback.builder()
        .name("berth_job_memory")
        .unit(Unit.BYTES)
        .help("How much memory a running job has.")
        .labelNames(LABELS)
        .callback(
            callback ->
                shown(usage)
                    .forEach(job -> callback.call((double) job.usage().memoryBytes(), labels(job))))
        .register(registry);
    GaugeWithCallback.builder()
        .name("berth_job_memory_limit")
        .unit(Unit.BYTES)
        .help("How much memory a running job can have, where that is limited.")
        .labelNames(LABELS)
        .callback(
            callback ->
                shown(usage)
                    .forEach(
                        job -> {
                          Long limit = job.usage().memoryLimitBytes();
                          if (limit != null) {
                            callback.call(limit.doubleValue(), labels(job));
                          }
                        }))
        .register(registry);
    GaugeWithCallback.builder()
        .name("berth_job_gpu_utilization_percent")
        .help("How busy a GPU of a running job is, where that is known.")
        .labelNames("project", "run", "node", "gpu")
        .callback(
            callback ->
                shown(usage)
                    .forEach(
                        job -> {
                          for (int i = 0; i < job.gpuUtilisation().size(); i++) {
                            callback.call(job.gpuUtilisation().get(i), labels(job, i));
                          }
                        }))
        .register(registry);
  }

  /** One for each set of labels: a page that has one twice is refused by its readers. */
  private static Collection<MeasuredJob> shown(Supplier<List<MeasuredJob>> usage) {
    Map<List<String>, MeasuredJob> shown = new LinkedHashMap<>();
    usage.get().stream().limit(MOST_JOBS).forEach(job -> shown.put(List.of(labels(job)), job));
    return shown.values();
  }

  private static String[] labels(MeasuredJob job, int... more) {
    List<String> labels =
        new ArrayList<>(List.of(job.project(), job.runName(), String.valueOf(job.node())));
    for (int one : more) {
      labels.add(String.valueOf(one));
    }
    return labels.toArray(String[]::new);
  }
}
