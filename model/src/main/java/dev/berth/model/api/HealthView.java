package dev.berth.model.api;

/** Whether the server can work. */
public record HealthView(String status) {}
