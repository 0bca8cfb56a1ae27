package dev.berth.model.api;

/** That the server can take requests. */
public record ReadyView(String status) {}
