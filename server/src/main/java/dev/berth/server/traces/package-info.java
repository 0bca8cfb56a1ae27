/** Traces of requests, of calls to backends and of runs, as OpenTelemetry knows them. */
@NullMarked
package dev.berth.server.traces;

import org.jspecify.annotations.NullMarked;
