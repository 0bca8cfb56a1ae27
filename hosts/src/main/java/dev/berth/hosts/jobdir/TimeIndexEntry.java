package dev.berth.hosts.jobdir;

import java.time.Instant;

/** What a job had written at a time, to the second. */
public record TimeIndexEntry(Instant at, OutputSizes sizes) {}
