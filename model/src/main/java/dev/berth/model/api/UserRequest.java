package dev.berth.model.api;

import org.jspecify.annotations.Nullable;

/**
 * A user to make.
 *
 * @param role admin or user; null for user
 */
public record UserRequest(String name, @Nullable String role) {}
