package dev.berth.model.api;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A run with its configuration and every attempt at it. */
public record RunDetail(
    RunView run, Map<String, @Nullable Object> configuration, List<AttemptView> attempts) {}
