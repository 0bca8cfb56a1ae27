package dev.berth.model.config;

/** A named set of placement parameters. */
public record Profile(String name, boolean isDefault, ProfileParams params) {}
