package dev.berth.model.config;

import org.jspecify.annotations.Nullable;

/** The name of a thing, in this project or in another one. */
public record EntityReference(@Nullable String project, String name) {}
