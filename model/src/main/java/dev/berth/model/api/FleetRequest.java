package dev.berth.model.api;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A fleet to plan, make or change, in the normalised form. */
public record FleetRequest(@Nullable String name, Map<String, @Nullable Object> configuration) {}
