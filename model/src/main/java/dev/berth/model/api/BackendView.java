package dev.berth.model.api;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A backend.
 *
 * @param status ready, preparing, removing or failed
 * @param message why it cannot be used; null where it can
 * @param own whether it was added, and can be removed; others are there by themselves
 * @param config its settings, secrets hidden
 */
public record BackendView(
    String name,
    String type,
    String status,
    @Nullable String message,
    boolean own,
    Map<String, Object> config) {}
