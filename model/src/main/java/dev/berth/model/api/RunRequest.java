package dev.berth.model.api;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A configuration to plan or run, in the normalised form. */
public record RunRequest(@Nullable String name, Map<String, @Nullable Object> configuration) {}
