package dev.berth.model.config;

import org.jspecify.annotations.Nullable;

/**
 * A port of the job and the port of the user's machine that leads to it; without a local port any
 * free one is taken.
 */
public record PortMapping(@Nullable Integer local, int container) {}
