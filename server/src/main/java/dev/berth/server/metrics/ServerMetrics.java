package dev.berth.server.metrics;

import dev.berth.control.Instruments;
import dev.berth.control.accounts.AccountGateway;
import dev.berth.model.Action;
import dev.berth.server.webhooks.HookCounts;
import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Unit;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * All that a server measures of itself. No label has values that users choose without bounds: there
 * are names of backends and routes, and words of our own.
 */
public final class ServerMetrics implements Instruments, HookCounts {
  /** From what nobody notices to what nobody waits for. */
  private static final double[] SHORT = {
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60
  };

  private static final double[] LONG = {
    0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 14_400, 86_400
  };

  private static final double[] POWERS = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512};

  private final PrometheusRegistry registry = new PrometheusRegistry();

  private final DistributionDataPoint queueWait =
      histogram("berth_queue_wait", "From when an attempt was asked for to its place.", LONG)
          .register(registry);
  private final Histogram provision =
      histogram("berth_provision", "From a place to the start of the job or machine.", LONG)
          .labelNames("backend", "what")
          .register(registry);
  private final DistributionDataPoint lag =
      histogram("berth_loop_lag", "How long the oldest message of a batch had waited.", SHORT)
          .register(registry);
  private final DistributionDataPoint step =
      histogram("berth_loop_step", "How long a batch took to be decided and committed.", SHORT)
          .register(registry);
  private final DistributionDataPoint batch =
      Histogram.builder()
          .name("berth_loop_batch_messages")
          .help("How many messages were decided together.")
          .classicOnly()
          .classicUpperBounds(POWERS)
          .withoutExemplars()
          .register(registry);
  private final Map<CommitResult, DistributionDataPoint> commits =
      new EnumMap<>(CommitResult.class);
  private final Histogram calls =
      histogram("berth_backend_call", "How long calls to backends took.", SHORT)
          .labelNames("backend", "operation", "result")
          .register(registry);
  private final Counter silentCalls =
      Counter.builder()
          .name("berth_backend_calls_given_up")
          .help("Calls to backends that did not come back in time.")
          .labelNames("backend", "operation")
          .register(registry);
  private final Counter providerCalls =
      Counter.builder()
          .name("berth_provider_calls")
          .help("Calls to providers that take a limited number of them.")
          .labelNames("backend", "kind")
          .register(registry);
  private final Gauge orphans =
      Gauge.builder()
          .name("berth_orphans")
          .help("Resources of this installation without an owner, at the last sweep of a backend.")
          .labelNames("backend")
          .register(registry);
  private final Counter orphansDeleted =
      Counter.builder()
          .name("berth_orphans_deleted")
          .help("Resources of this installation without an owner that were deleted.")
          .labelNames("backend")
          .register(registry);
  private final Counter deliveries =
      Counter.builder()
          .name("berth_webhook_deliveries")
          .help("Tries to tell webhooks of events; failed ones are tried again.")
          .labelNames("webhook", "result")
          .register(registry);
  private final Gauge webhookSeq =
      Gauge.builder()
          .name("berth_webhook_event")
          .help("The number of the newest event that a webhook is done with.")
          .labelNames("webhook")
          .register(registry);

  /** As the gauge of orphans. */
  private final Map<String, Integer> strangersSeen = new ConcurrentHashMap<>();

  private final Histogram requests =
      histogram("berth_http_request", "How long requests took.", SHORT)
          .labelNames("method", "route", "status")
          .register(registry);
  private final CounterDataPoint failedLogins =
      Counter.builder()
          .name("berth_failed_logins")
          .help("Requests with a token that does not work, or from an address that has to wait.")
          .register(registry);
  private final CounterDataPoint servedLogs =
      Counter.builder()
          .name("berth_log_served")
          .unit(Unit.BYTES)
          .help("Output of jobs that was given to clients.")
          .register(registry);

  private final Consumer<Call> eachCall;

  /** Of a server that calls no backends, or whose calls nobody wants to see one by one. */
  public ServerMetrics(String version, LongSupplier droppedSpans) {
    this(version, droppedSpans, _ -> {});
  }

  /**
   * Measures nothing yet.
   *
   * @param droppedSpans how many spans of traces were lost
   * @param eachCall hears of every call to a backend, and neither waits nor throws
   */
  public ServerMetrics(String version, LongSupplier droppedSpans, Consumer<Call> eachCall) {
    this.eachCall = eachCall;
    CounterWithCallback.builder()
        .name("berth_trace_spans_dropped")
        .help("Spans of traces that no collector took.")
        .callback(callback -> callback.call((double) droppedSpans.getAsLong()))
        .register(registry);
    Histogram all =
        histogram("berth_commit", "How long commits took, by how they ended.", SHORT)
            .labelNames("result")
            .register(registry);
    for (CommitResult result : CommitResult.values()) {
      commits.put(result, all.labelValues(result.word()));
    }
    Gauge.builder()
        .name("berth_build")
        .help("Which server this is; always 1.")
        .labelNames("version")
        .register(registry)
        .labelValues(version)
        .set(1);
    ProcessMetrics.register(registry);
  }

  private static Histogram.Builder histogram(String name, String help, double[] bounds) {
    return Histogram.builder()
        .name(name)
        .unit(Unit.SECONDS)
        .help(help)
        .classicOnly()
        .classicUpperBounds(bounds)
        .withoutExemplars();
  }

  /** For those who measure at the moment of asking. */
  PrometheusRegistry registry() {
    return registry;
  }

  /** All figures, as text. */
  public record Page(String contentType, String text) {}

  /**
   * Shows all figures of now.
   *
   * @param accept the formats that the reader understands; null for any
   */
  public Page page(@Nullable String accept) throws IOException {
    ExpositionFormats formats = ExpositionFormats.init();
    // Only text: what else the library knows needs classes that are not here.
    ExpositionFormatWriter writer =
        accept != null && accept.contains("application/openmetrics-text")
            ? formats.getOpenMetricsTextFormatWriter()
            : formats.getPrometheusTextFormatWriter();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    writer.write(out, registry.scrape(), EscapingScheme.fromAcceptHeader(accept));
    return new Page(writer.getContentType(), out.toString(StandardCharsets.UTF_8));
  }

  @Override
  public void stepped(int messages, Duration waited, Duration took) {
    lag.observe(seconds(waited));
    step.observe(seconds(took));
    batch.observe(messages);
  }

  @Override
  public void committed(CommitResult result, Duration took) {
    DistributionDataPoint figures = commits.get(result);
    if (figures != null) {
      figures.observe(seconds(took));
    }
  }

  @Override
  public void called(Call call) {
    calls
        .labelValues(call.backend(), word(call.operation()), call.result().word())
        .observe(seconds(call.took()));
    eachCall.accept(call);
  }

  @Override
  public void asked(String backend, AccountGateway.Kind kind) {
    providerCalls.labelValues(backend, kind.word()).inc();
  }

  @Override
  public void silent(String backend, Action.Type operation) {
    silentCalls.labelValues(backend, word(operation)).inc();
  }

  @Override
  public void placed(Duration waited) {
    queueWait.observe(seconds(waited));
  }

  @Override
  public void provisioned(String backend, Provisioned what, Duration took) {
    provision.labelValues(backend, what.word()).observe(seconds(took));
  }

  @Override
  public void swept(String backend, int strangers) {
    orphans.labelValues(backend).set(strangers);
    strangersSeen.put(backend, strangers);
  }

  @Override
  public void strangerGone(String backend) {
    orphansDeleted.labelValues(backend).inc();
  }

  /** How many unknown things each backend had at the last look. */
  public Map<String, Integer> strangers() {
    return Map.copyOf(strangersSeen);
  }

  @Override
  public void sent(String webhook) {
    deliveries.labelValues(webhook, "sent").inc();
  }

  @Override
  public void failed(String webhook) {
    deliveries.labelValues(webhook, "failed").inc();
  }

  @Override
  public void skipped(String webhook) {
    deliveries.labelValues(webhook, "skipped").inc();
  }

  @Override
  public void newSeq(String webhook, long seq) {
    webhookSeq.labelValues(webhook).set((double) seq);
  }

  /**
   * A request was answered.
   *
   * @param route as the list of routes has it, never the path itself
   */
  public void answered(String method, String route, int status, Duration took) {
    requests.labelValues(method, route, Integer.toString(status)).observe(seconds(took));
  }

  public void failedLogin() {
    failedLogins.inc();
  }

  public void servedLogs(long bytes) {
    servedLogs.inc(bytes);
  }

  private static String word(Action.Type operation) {
    return operation.name().toLowerCase(Locale.ROOT);
  }

  private static double seconds(Duration time) {
    return time.toNanos() / 1e9;
  }
}
