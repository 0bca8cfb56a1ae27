package dev.berth.model.api;

import java.time.Instant;

/**
 * A member of a project.
 *
 * @param role viewer, user, manager or admin
 */
public record MemberView(String project, String user, String role, Instant since) {}
