package dev.berth.model.config;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How the number of replicas follows the load. */
public record ScalingSpec(
    String metric,
    double target,
    @Nullable Duration window,
    Duration scaleUpDelay,
    Duration scaleDownDelay) {}
