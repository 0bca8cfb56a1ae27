package dev.berth.hosts.access;

import java.time.Instant;

/** What is known of a plain file at one moment. */
public record FileFacts(long size, Instant modified) {}
