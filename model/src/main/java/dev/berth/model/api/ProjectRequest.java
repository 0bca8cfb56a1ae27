package dev.berth.model.api;

/** A project to make. */
public record ProjectRequest(String name) {}
