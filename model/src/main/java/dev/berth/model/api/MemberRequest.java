package dev.berth.model.api;

import org.jspecify.annotations.Nullable;

/**
 * A user who shall be a member, or another role for one who is.
 *
 * @param role viewer, user, manager or admin; null for user
 */
public record MemberRequest(String user, @Nullable String role) {}
