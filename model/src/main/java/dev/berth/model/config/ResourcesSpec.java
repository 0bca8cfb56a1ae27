package dev.berth.model.config;

import org.jspecify.annotations.Nullable;

/**
 * What a job needs of a machine. Parts that were not written stay null, because machines that cost
 * nothing reserve nothing for them.
 */
public record ResourcesSpec(
    @Nullable CpuSpec cpu,
    @Nullable Range<Size> memory,
    @Nullable Size shmSize,
    @Nullable GpuSpec gpu,
    @Nullable DiskSpec disk) {}
