package dev.berth.model.api;

import org.jspecify.annotations.Nullable;

/**
 * A token to make.
 *
 * @param user whose; null for the caller's own
 * @param project the only project it shall be for; null for all of the user's
 * @param role the highest role it shall have in a project; null for the user's own
 * @param expiresInSeconds for how long it shall work; null for ever
 */
public record TokenRequest(
    String name,
    @Nullable String user,
    @Nullable String project,
    @Nullable String role,
    @Nullable Long expiresInSeconds) {}
