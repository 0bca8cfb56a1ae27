package dev.berth.model.api;

import org.jspecify.annotations.Nullable;

/**
 * What a policy of the server does to a configuration.
 *
 * @param name the name of the policy
 * @param effect what it does, or would do, in words
 * @param message what its author tells those who meet it
 * @param dryRun whether it only tells, and changes nothing
 */
public record PolicyView(String name, String effect, @Nullable String message, boolean dryRun) {}
