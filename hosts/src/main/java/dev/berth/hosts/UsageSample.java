package dev.berth.hosts;

import java.time.Duration;
import java.time.Instant;

/**
 * What a job used at a time.
 *
 * @param processorTime the time all its processes have computed since it started
 * @param memoryBytes the resident memory of all its processes
 */
public record UsageSample(Instant at, Duration processorTime, long memoryBytes) {}
