package dev.berth.model.config;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where and how a run may be placed; written in the run's file, in a profile, or on the command
 * line.
 */
public record ProfileParams(
    @Nullable List<String> backends,
    @Nullable List<String> regions,
    @Nullable List<String> availabilityZones,
    @Nullable List<String> instanceTypes,
    @Nullable String reservation,
    @Nullable SpotPolicy spotPolicy,
    @Nullable RetryPolicy retry,
    @Nullable TimeLimit maxDuration,
    @Nullable TimeLimit stopDuration,
    @Nullable Double maxPrice,
    @Nullable CreationPolicy creationPolicy,
    @Nullable TimeLimit idleDuration,
    @Nullable UtilizationPolicy utilizationPolicy,
    @Nullable StartupOrder startupOrder,
    @Nullable StopCriteria stopCriteria,
    @Nullable Schedule schedule,
    @Nullable List<EntityReference> fleets,
    @Nullable List<InstanceSelector> instances,
    @Nullable Map<String, String> tags,
    @Nullable List<BackendOptions> backendOptions) {}
