package dev.berth.server.traces;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Sends spans by OTLP over HTTP. Only this class and {@link OtlpSpan} name OpenTelemetry's, and
 * they are loaded only where traces are wanted.
 */
final class OtlpExport implements SpanExport {
  /** For one request; the exporter tries again where the collector asks it to. */
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(10);

  private static final Duration CONNECT_WITHIN = Duration.ofSeconds(5);
  private static final Duration ALL_WITHIN = Duration.ofSeconds(30);

  /** What fails is told by us, once, and not for each batch. Kept, or the setting gets lost. */
  private static final Logger QUIET = Logger.getLogger("io.opentelemetry");

  private final OtlpHttpSpanExporter exporter;
  private final Resource resource;
  private final InstrumentationScopeInfo scope;

  OtlpExport(TraceSettings settings, String version) {
    QUIET.setLevel(Level.OFF);
    exporter =
        OtlpHttpSpanExporter.builder()
            .setEndpoint(settings.tracesUrl())
            .setHeaders(() -> headers(settings))
            .setCompression("gzip")
            .setTimeout(ANSWER_WITHIN)
            .setConnectTimeout(CONNECT_WITHIN)
            .build();
    resource =
        Resource.getDefault()
            .merge(
                Resource.create(
                    Attributes.builder()
                        .put("service.name", settings.service())
                        .put("service.version", version)
                        .put("service.instance.id", UUID.randomUUID().toString())
                        .build()));
    scope = InstrumentationScopeInfo.builder("dev.berth").setVersion(version).build();
  }

  private static Map<String, String> headers(TraceSettings settings) {
    Map<String, String> headers = new HashMap<>();
    settings.headers().get().forEach((name, value) -> headers.put(name, value.reveal()));
    return headers;
  }

  @Override
  public void send(List<Span> spans) throws NotTakenException {
    List<SpanData> data =
        spans.stream().<SpanData>map(span -> new OtlpSpan(span, resource, scope)).toList();
    CompletableResultCode result;
    try {
      result = exporter.export(data).join(ALL_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
    } catch (RuntimeException e) {
      // Whatever it is, it must not end the traces of what comes after.
      throw new NotTakenException("they cannot be sent: " + e.getClass().getSimpleName());
    }
    if (!result.isSuccess()) {
      throw new NotTakenException(reason(result));
    }
  }

  /** Only the kind of a failure: what it says may repeat what was sent. */
  private static String reason(CompletableResultCode result) {
    if (!result.isDone()) {
      return "it did not answer in time";
    }
    Throwable failure = result.getFailureThrowable();
    Throwable cause = failure == null ? null : failure.getCause();
    return cause == null
        ? "it refuses them"
        : "it cannot be reached: " + cause.getClass().getSimpleName();
  }

  @Override
  public void close() {
    exporter.shutdown();
  }
}
