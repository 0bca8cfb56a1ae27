package dev.berth.planning;

/** A field that cannot be honoured, with what to do about it. */
public record Unsupported(String path, String message) {}
