package dev.berth.model.config;

/** Disk space that a job needs. */
public record DiskSpec(Range<Size> size) {}
