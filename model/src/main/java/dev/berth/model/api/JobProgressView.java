package dev.berth.model.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How far a job is that has a place.
 *
 * @param node which of the run's jobs it is
 * @param progress in the words of its backend; null where nobody knows
 * @param warnings a sentence for each thing that was asked for and that it will do without, as far
 *     as that is known
 * @param message why nobody knows how far it is; null where somebody does
 */
public record JobProgressView(
    String attempt,
    int node,
    @Nullable String backend,
    @Nullable String progress,
    List<String> warnings,
    @Nullable String message) {}
