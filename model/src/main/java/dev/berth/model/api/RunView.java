package dev.berth.model.api;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A run as users see it. */
public record RunView(
    String id,
    String name,
    String type,
    String project,
    String user,
    String status,
    @Nullable String reason,
    @Nullable String message,
    @Nullable Integer exitCode,
    @Nullable String backend,
    @Nullable Double price,
    double cost,
    Instant submittedAt,
    @Nullable Instant finishedAt) {}
