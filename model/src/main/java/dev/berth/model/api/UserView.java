package dev.berth.model.api;

import java.time.Instant;

/**
 * A user.
 *
 * @param role admin or user
 */
public record UserView(String name, String role, Instant createdAt) {}
