package dev.berth.model.api;

/** How to stop a run; to abort is to kill it at once. */
public record StopRequest(boolean abort) {}
