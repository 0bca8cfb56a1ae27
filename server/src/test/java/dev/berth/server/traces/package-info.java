/** Traces, tested without a collector. */
@NullMarked
package dev.berth.server.traces;

import org.jspecify.annotations.NullMarked;
