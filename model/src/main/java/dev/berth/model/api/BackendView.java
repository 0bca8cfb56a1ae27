package dev.berth.model.api;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A backend.
 *
 * @param status ready, opening, preparing, removing or failed
 * @param message why it cannot be used; null where it can
 * @param origin added, declared in the server's file, or built in
 * @param config its settings, secrets hidden
 */
public record BackendView(
    String name,
    String type,
    String status,
    @Nullable String message,
    String origin,
    Map<String, Object> config) {}
