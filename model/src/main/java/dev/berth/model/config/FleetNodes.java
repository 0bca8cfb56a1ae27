package dev.berth.model.config;

import org.jspecify.annotations.Nullable;

/** How many machines a fleet keeps, starts with, and may have. */
public record FleetNodes(int min, int target, @Nullable Integer max) {}
