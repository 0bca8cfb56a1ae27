package dev.berth.model;

import org.jspecify.annotations.Nullable;

/**
 * What a policy does to a configuration.
 *
 * @param policy the name of the policy
 * @param effect what it does, or would do, in words
 * @param message what its author tells those who meet it
 * @param dryRun whether it only tells, and changes nothing
 */
public record PolicyNote(String policy, String effect, @Nullable String message, boolean dryRun) {}
