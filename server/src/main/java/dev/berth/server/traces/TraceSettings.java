package dev.berth.server.traces;

import dev.berth.model.Secret;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Where traces are sent, and how many.
 *
 * @param endpoint the address of a collector, without the path of OTLP
 * @param sample the part of all traces that is sent, from 0 to 1
 * @param headers what every request to the collector carries; asked for each time
 * @param service what this server is called in the traces
 */
public record TraceSettings(
    String endpoint, double sample, Supplier<Map<String, Secret>> headers, String service) {
  /** Where the collector takes traces. */
  String tracesUrl() {
    return (endpoint.endsWith("/") ? endpoint : endpoint + "/") + "v1/traces";
  }
}
