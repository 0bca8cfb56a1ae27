package dev.berth.model.config;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A network volume. Which of its fields a backend understands, that backend judges. */
public record VolumeConfiguration(
    @Nullable String name,
    String backend,
    @Nullable String region,
    @Nullable String availabilityZone,
    @Nullable Size size,
    @Nullable String volumeId,
    @Nullable String claimName,
    @Nullable String storageClassName,
    @Nullable List<String> accessModes,
    @Nullable Boolean readOnly,
    @Nullable TimeLimit autoCleanupDuration,
    @Nullable Map<String, String> tags)
    implements Configuration {}
