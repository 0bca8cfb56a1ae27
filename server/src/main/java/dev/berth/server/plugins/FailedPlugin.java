package dev.berth.server.plugins;

/** Something that should give a type of backend and does not, with the reason. */
public record FailedPlugin(String origin, String reason) {}
