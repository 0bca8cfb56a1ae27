package dev.berth.server.traces;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.sdk.common.InstrumentationLibraryInfo;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.data.EventData;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * A span as the exporter wants it. The SDK's own spans cannot be made after the fact with ids that
 * follow from what they are about, which is what makes those of runs right over a restart.
 */
record OtlpSpan(Span span, Resource resource, InstrumentationScopeInfo scope) implements SpanData {
  private static SpanContext context(TraceContext context) {
    return SpanContext.create(
        context.traceId(),
        context.spanId(),
        context.sampled() ? TraceFlags.getSampled() : TraceFlags.getDefault(),
        TraceState.getDefault());
  }

  private static long nanos(Instant at) {
    return at.getEpochSecond() * 1_000_000_000L + at.getNano();
  }

  @Override
  public String getName() {
    return span.name();
  }

  @Override
  public SpanKind getKind() {
    return switch (span.kind()) {
      case SERVER -> SpanKind.SERVER;
      case CLIENT -> SpanKind.CLIENT;
      case INTERNAL -> SpanKind.INTERNAL;
    };
  }

  @Override
  public SpanContext getSpanContext() {
    return context(span.self());
  }

  @Override
  public SpanContext getParentSpanContext() {
    TraceContext parent = span.parent();
    return parent == null ? SpanContext.getInvalid() : context(parent);
  }

  @Override
  public StatusData getStatus() {
    return span.failed() ? StatusData.error() : StatusData.unset();
  }

  @Override
  public long getStartEpochNanos() {
    return nanos(span.from());
  }

  @Override
  public long getEndEpochNanos() {
    return nanos(span.to());
  }

  @Override
  public boolean hasEnded() {
    return true;
  }

  @Override
  public Attributes getAttributes() {
    AttributesBuilder attributes = Attributes.builder();
    for (Map.Entry<String, Object> attribute : span.attributes().entrySet()) {
      switch (attribute.getValue()) {
        case Integer number -> attributes.put(attribute.getKey(), number);
        case Long number -> attributes.put(attribute.getKey(), number);
        case Boolean truth -> attributes.put(attribute.getKey(), truth);
        case Object text -> attributes.put(attribute.getKey(), text.toString());
      }
    }
    return attributes.build();
  }

  @Override
  public List<EventData> getEvents() {
    return span.moments().stream()
        .map(moment -> EventData.create(nanos(moment.at()), moment.name(), Attributes.empty()))
        .toList();
  }

  @Override
  public List<LinkData> getLinks() {
    return span.links().stream().map(link -> LinkData.create(context(link))).toList();
  }

  @Override
  public int getTotalRecordedEvents() {
    return span.moments().size();
  }

  @Override
  public int getTotalRecordedLinks() {
    return span.links().size();
  }

  @Override
  public int getTotalAttributeCount() {
    return span.attributes().size();
  }

  @Override
  public InstrumentationScopeInfo getInstrumentationScopeInfo() {
    return scope;
  }

  @Override
  @Deprecated
  public InstrumentationLibraryInfo getInstrumentationLibraryInfo() {
    return InstrumentationLibraryInfo.create(scope.getName(), scope.getVersion());
  }

  @Override
  public Resource getResource() {
    return resource;
  }
}
