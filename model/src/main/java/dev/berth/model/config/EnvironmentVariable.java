package dev.berth.model.config;

import org.jspecify.annotations.Nullable;

/** One environment variable; without a value it is taken from the environment of the client. */
public record EnvironmentVariable(String name, @Nullable String value) {}
