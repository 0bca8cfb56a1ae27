package dev.berth.model.config;

import org.jspecify.annotations.Nullable;

/** Processors that a job needs. */
public record CpuSpec(@Nullable CpuArchitecture arch, @Nullable Range<Integer> count) {}
