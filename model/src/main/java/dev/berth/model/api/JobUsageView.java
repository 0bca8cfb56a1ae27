package dev.berth.model.api;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a running job uses. All figures are null where nobody knows them.
 *
 * @param node which of the run's jobs it is
 * @param at when it was measured
 * @param processorSeconds for how long all its processes have computed
 * @param processors how many it kept busy lately
 * @param memoryLimitBytes null also where nothing but the machine limits it
 * @param gpuUtilization how busy each of its GPUs is, in percent; empty where nobody knows
 * @param message why there are no figures; null where there are
 */
public record JobUsageView(
    String attempt,
    int node,
    @Nullable String backend,
    @Nullable Instant at,
    @Nullable Double processorSeconds,
    @Nullable Double processors,
    @Nullable Long memoryBytes,
    @Nullable Long memoryLimitBytes,
    List<Integer> gpuUtilization,
    @Nullable String message) {}
