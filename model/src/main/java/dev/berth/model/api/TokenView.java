package dev.berth.model.api;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A token, without its secret.
 *
 * @param project the only project it is for; null for all of the user's
 * @param role the highest role it has in a project; null for the user's own
 * @param expiresAt null for never
 */
public record TokenView(
    String id,
    String name,
    String user,
    @Nullable String project,
    @Nullable String role,
    Instant createdAt,
    @Nullable Instant expiresAt) {}
