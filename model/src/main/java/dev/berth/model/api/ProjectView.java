package dev.berth.model.api;

import java.time.Instant;

/**
 * A project.
 *
 * @param role what the caller may do in it: viewer, user, manager or admin
 */
public record ProjectView(String name, String role, Instant createdAt) {}
