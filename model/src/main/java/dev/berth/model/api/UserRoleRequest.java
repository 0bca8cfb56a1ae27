package dev.berth.model.api;

/**
 * Another role for a user.
 *
 * @param role admin or user
 */
public record UserRoleRequest(String role) {}
