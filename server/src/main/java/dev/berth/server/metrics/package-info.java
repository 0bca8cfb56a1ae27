/** What a server measures of itself, as Prometheus reads it. */
@NullMarked
package dev.berth.server.metrics;

import org.jspecify.annotations.NullMarked;
