package dev.berth.model.api;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One execution of a job. */
public record AttemptView(
    String id,
    int number,
    String status,
    @Nullable String reason,
    @Nullable String message,
    @Nullable Integer exitCode,
    @Nullable String backend,
    @Nullable String instance,
    Instant submittedAt,
    @Nullable Instant startedAt,
    @Nullable Instant finishedAt) {}
