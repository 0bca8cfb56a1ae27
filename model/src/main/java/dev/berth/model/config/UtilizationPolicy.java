package dev.berth.model.config;

import java.time.Duration;

/** Ends a run whose accelerators idle. */
public record UtilizationPolicy(int minGpuUtilization, Duration timeWindow) {}
