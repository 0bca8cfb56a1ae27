package dev.berth.model.api;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A run as users see it.
 *
 * @param message a sentence about its end, or about what it waits for
 * @param priority from 0 to 100; the higher one is placed first
 * @param nodes how many jobs run at the same time
 * @param attempt the number of the newest attempt at it while it is active, and null before the
 *     first one and after its end
 * @param after names of the runs that it waits for
 * @param nextAt when its schedule starts it, or when it is tried again; null where it waits for
 *     nothing of the kind
 */
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
    int priority,
    int nodes,
    @Nullable Integer attempt,
    List<String> after,
    @Nullable Instant nextAt,
    Instant submittedAt,
    @Nullable Instant finishedAt) {}
