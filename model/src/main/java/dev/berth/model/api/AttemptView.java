package dev.berth.model.api;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One execution of a job.
 *
 * @param rank which of the run's nodes it is
 * @param number which attempt at that node it is, from 1
 * @param instance the id of the machine; null for a job that was bought by itself
 * @param warnings a sentence for each thing that was asked for and that it had to do without
 */
public record AttemptView(
    String id,
    int rank,
    int number,
    String status,
    @Nullable String reason,
    @Nullable String message,
    @Nullable Integer exitCode,
    @Nullable String backend,
    @Nullable String instance,
    double price,
    Instant submittedAt,
    @Nullable Instant startedAt,
    @Nullable Instant finishedAt,
    List<String> warnings) {}
