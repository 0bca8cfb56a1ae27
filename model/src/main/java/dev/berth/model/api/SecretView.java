package dev.berth.model.api;

import java.time.Instant;

/** A secret of a project, without its value. */
public record SecretView(String project, String name, Instant createdAt, Instant updatedAt) {}
